/* The header stands alone, and may be included twice and from two units. */
#include <headless_checkout.h>
#include <headless_checkout.h>

int other_unit(void);

int main(void) {
  hco_callbacks callbacks = {0};
  hco_status status = HCO_OK;
  (void)callbacks;
  return hco_abi_version() == HCO_ABI_VERSION && other_unit() == status ? 0 : 1;
}
