// The header in C++: the callbacks take functions and lambdas, exceptions stay in.
#include <headless_checkout.h>
#include <headless_checkout.h>

#include <cstring>
#include <stdexcept>

extern "C" int other_unit(void);

static int told, released;

static void listen(void *, hco_checkout *, int32_t, const char *) {
  try {
    told += 1;
    throw std::runtime_error("stays inside");
  } catch (const std::exception &) {
  }
}

int main() {
  hco_callbacks callbacks = {
      listen, [](void *, hco_checkout *, int32_t, uint64_t, const char *) {}, [](void *) { released += 1; }, nullptr};
  hco_runtime *runtime = nullptr;
  char *reply = nullptr;
  if (hco_runtime_create(HCO_ABI_VERSION, "{\"transport\":\"host\"}", &callbacks, &runtime, &reply) != HCO_OK) return 1;
  hco_free(reply);
  try {
    if (hco_runtime_poll(runtime, 0) != HCO_OK) throw std::logic_error("poll");
  } catch (const std::logic_error &) {
    return 1;
  }
  hco_runtime_destroy(runtime);
  return released == 1 && std::strcmp(hco_version(), HCO_VERSION_TEXT) == 0 && other_unit() == HCO_OK ? 0 : 1;
}
