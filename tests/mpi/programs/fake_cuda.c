/* A CUDA driver with one device allocation, in ordinary memory: enough to be asked whose a pointer
 * is. The real one's numbers. */
#include <stdint.h>
#include <string.h>

enum { success = 0, invalid_value = 1, attribute_memory_type = 2, memory_type_device = 2 };

static uintptr_t device_begin, device_end;

void fake_device_range(void* begin, unsigned long bytes);
void fake_device_range(void* begin, unsigned long bytes) {
    device_begin = (uintptr_t)begin;
    device_end = device_begin + bytes;
}

int cuPointerGetAttribute(void* data, int attribute, unsigned long long pointer);
int cuPointerGetAttribute(void* data, int attribute, unsigned long long pointer) {
    if (attribute != attribute_memory_type) return invalid_value;
    if (pointer < device_begin || pointer >= device_end) return invalid_value;
    const unsigned type = memory_type_device;
    memcpy(data, &type, sizeof type);
    return success;
}

int cuInit(unsigned flags);
int cuInit(unsigned flags) {
    (void)flags;
    return success;
}
