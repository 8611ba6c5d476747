#include "official.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <flatbuffers/idl.h>

#include "segment_generated.h"

struct official {
    flatbuffers::Parser parser;
};

static flatbuffers::IDLOptions options()
{
    flatbuffers::IDLOptions options;
    options.output_default_scalars_in_json = true;
    options.strict_json = true;
    options.indent_step = 1;
    return options;
}

static void must(bool good, const official *schema)
{
    if (good)
        return;
    fprintf(stderr, "libflatbuffers: %s\n", schema->parser.error_.c_str());
    abort();
}

bool official_verifies(const unsigned char *bytes, size_t size)
{
    flatbuffers::Verifier verifier(bytes, size);
    return verifier.VerifyBuffer<wire::Segment>(nullptr);
}

official *official_open(const void *bfbs, size_t size)
{
    official *schema = new official{flatbuffers::Parser(options())};
    if (schema->parser.Deserialize(static_cast<const uint8_t *>(bfbs), size))
        return schema;
    delete schema;
    return nullptr;
}

official *official_open_text(const char *text, const char *const *folders)
{
    official *schema = new official{flatbuffers::Parser(options())};
    const char *paths[11] = {};
    for (int i = 0; folders[i] && i < 10; i++)
        paths[i] = folders[i];
    must(schema->parser.Parse(text, paths), schema);
    return schema;
}

void official_close(official *schema)
{
    delete schema;
}

char *official_to_json(official *schema, const unsigned char *bytes)
{
    std::string json;
    must(flatbuffers::GenerateText(schema->parser, bytes, &json), schema);
    return strdup(json.c_str());
}

unsigned char *official_from_json(official *schema, const char *json, size_t *size)
{
    must(schema->parser.ParseJson(json), schema);
    *size = schema->parser.builder_.GetSize();
    unsigned char *bytes = static_cast<unsigned char *>(malloc(*size));
    memcpy(bytes, schema->parser.builder_.GetBufferPointer(), *size);
    return bytes;
}
