/// The document that `widget.data` holds.
enum WidgetBlob {
  static func document(
    _ order: MerchantOrder, id: String, key: String, expiresAt: Int64, tenantId: String,
    wallet: (session: PurseWalletSession, wallet: PurseWallet)?
  ) -> SandboxJSON {
    var blob: SandboxJSON = [
      "api_key": .string(key), "entity_id": .string(order.entityId), "environment": "sandbox",
      "session": session(order, id: id, expiresAt: expiresAt, tenantId: tenantId, wallet?.wallet),
      "three_ds_settings": ["vendor": "NONE"],
    ]
    if let wallet { blob["wallet_session"] = wallet.session.document }
    return blob.merging(order.wishes.blob)
  }

  static func encode(_ blob: SandboxJSON, _ wishes: SessionWishes) -> String {
    Base64Text.encode(blob.text.utf8, urlSafe: wishes.isURLSafe, padded: wishes.isPadded)
  }

  private static func session(
    _ order: MerchantOrder, id: String, expiresAt: Int64, tenantId: String, _ wallet: PurseWallet?
  ) -> SandboxJSON {
    let digits = order.currency.digits
    var session: SandboxJSON = ["id": .string(id)]
    if order.wishes.isInformationRequest {
      session["information_request"] = true
    } else {
      session["amount"] = .number(Amount.literal(order.amount, digits: digits))
    }
    session["currency_code"] = .string(order.currency.code)
    session["expiration_date"] = .string(SandboxTime.seconds(expiresAt))
    session["redirection"] = .string(order.redirection)
    session["protocols"] =
      order.wishes.protocols
      ?? PurseCatalogue.protocols(
        only: order.wishes.methods, digits: digits, isInformationRequest: order.wishes.isInformationRequest,
        wallet: wallet)
    session["vault"] = ["vendor_front_data": ["purse": ["tenant_id": .string(tenantId)]]]
    return session.merging(order.wishes.session)
  }
}
