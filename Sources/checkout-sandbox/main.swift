print("checkout-sandbox")
