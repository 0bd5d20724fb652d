#include <headless_checkout.h>

int other_unit(void);

int other_unit(void) { return hco_version()[0] == '0' + HCO_VERSION_MAJOR ? HCO_OK : HCO_INTERNAL; }
