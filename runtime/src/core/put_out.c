#include "core/put_out.h"

kifu_result kifu__put_out(kifu_timeline *timeline, const char *name, const kifu__blob *made, kifu_buffer *buffer)
{
    const kifu__memory *memory = &timeline->memory;
    if (made->result == KIFU_TOO_LARGE)
        return kifu__error(&timeline->error, made->result, "%s has more than 1 GiB as bytes", name);
    if (!made->result && made->size > buffer->capacity && (buffer->allocate || !buffer->data)) { // It grows.
        kifu_allocate *allocate = buffer->allocate ? buffer->allocate : memory->allocate;
        void *context = buffer->allocate ? buffer->allocate_context : memory->context;
        void *data = allocate(context, buffer->data, made->capacity);
        if (data)
            *buffer = (kifu_buffer){.data = (unsigned char *)data,
                                    .size = buffer->size,
                                    .capacity = made->capacity,
                                    .allocate = allocate,
                                    .allocate_context = context};
        if (!data)
            return kifu__error(&timeline->error, KIFU_NO_MEMORY, "out of memory for %s as bytes", name);
    }
    if (made->result)
        return kifu__error(&timeline->error, made->result, "out of memory for %s as bytes", name);
    buffer->size = made->size;
    if (made->size > buffer->capacity)
        return kifu__error(&timeline->error, KIFU_TOO_LARGE, "%s needs %u bytes, and there is room for %u", name,
                           (unsigned)made->size, (unsigned)buffer->capacity);
    memcpy(buffer->data, made->bytes, made->size);
    return KIFU_OK;
}

void kifu_free_buffer(kifu_buffer *buffer)
{
    if (buffer->allocate)
        buffer->allocate(buffer->allocate_context, buffer->data, 0);
    *buffer = (kifu_buffer){0};
}
