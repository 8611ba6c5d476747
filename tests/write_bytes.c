// Writes an event of each type of the game `wire` as bytes, and a batch of some, `write_bytes FOLDER`: for
// test_flatc_roundtrip.py, which knows what is in them, and for libFuzzer to begin with. `write_bytes FOLDER BATCH`
// reads a batch, and writes it again.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire.h"

static kifu_result build_checks(kifu_timeline *timeline, kifu_buffer *into)
{
    wire_e_checks_args args = wire_e_checks_defaults();
    args.colour = WIRE_COLOUR_BLUE;
    args.flag = true;
    args.traits = WIRE_TRAIT_SHINY | WIRE_TRAIT_CURSED;
    args.distance = WIRE_DISTANCE_FAR;
    args.point = (wire_point){.x = -3, .y = 70000, .colour = WIRE_COLOUR_GREEN};
    args.grid.ratio = 0.25;
    return wire_build_e_checks(timeline, into, &args);
}

static kifu_result build_flat(kifu_timeline *timeline, kifu_buffer *into)
{
    wire_e_flat_args args = wire_e_flat_defaults();
    args.a = 200;
    args.d = UINT64_C(18446744073709551615);
    args.f = -0.5;
    return wire_build_e_flat(timeline, into, &args);
}

static kifu_result build_optional(kifu_timeline *timeline, kifu_buffer *into)
{
    wire_e_optional_args args = wire_e_optional_defaults();
    args.has_b = true;
    args.b = 5;
    args.has_d = true;
    return wire_build_e_optional(timeline, into, &args);
}

static kifu_result build_vectors(kifu_timeline *timeline, kifu_buffer *into)
{
    static const double doubles[] = {1.5, -2.5};
    static const char *const strings[] = {"one", ""};
    static const wire_colour colours[] = {WIRE_COLOUR_RED, WIRE_COLOUR_BLUE};
    static const wire_plain_args plains[] = {{.a = 1, .b = 2}, {.a = 3, .b = 40}};
    wire_e_vectors_args args = wire_e_vectors_defaults();
    args.doubles = doubles;
    args.doubles_count = 2;
    args.strings = strings;
    args.strings_count = 2;
    args.colours = colours;
    args.colours_count = 2;
    args.plains = plains;
    args.plains_count = 2;
    return wire_build_e_vectors(timeline, into, &args);
}

static kifu_result build_nested(kifu_timeline *timeline, kifu_buffer *into)
{
    wire_leaf_args leaf = wire_leaf_defaults();
    leaf.note = "a leaf";
    wire_branch_args inner = wire_branch_defaults(), branch = inner;
    inner.main = &leaf;
    branch.next = &inner;
    branch.leaves = &leaf;
    branch.leaves_count = 1;
    const wire_plain_args must = {.a = 9, .b = 40};
    return wire_build_e_nested(timeline, into, &branch, NULL, NULL, 0, &must);
}

static kifu_result build_changed(kifu_timeline *timeline, kifu_buffer *into)
{
    return wire_build_e_changed(timeline, into, NULL);
}

static kifu_result build_one_enum(kifu_timeline *timeline, kifu_buffer *into)
{
    return wire_build_e_one_enum(timeline, into, WIRE_COLOUR_BLUE, 7);
}

static kifu_result build_text(kifu_timeline *timeline, kifu_buffer *into)
{
    return wire_build_e_text(timeline, into, NULL, "a name");
}

typedef struct known {
    const char *name;
    kifu_result (*build)(kifu_timeline *timeline, kifu_buffer *into);
} known;

static const known all[] = {
    {"EEmpty", wire_build_e_empty}, {"EFlat", build_flat},         {"EOneEnum", build_one_enum},
    {"EChecks", build_checks},      {"EOptional", build_optional}, {"EText", build_text},
    {"EVectors", build_vectors},    {"ENested", build_nested},     {"EChanged", build_changed},
};

static int write_file(const char *folder, const char *name, const void *bytes, size_t size)
{
    char path[500];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, size, 1, file) != 1 || fclose(file)) {
        perror(path);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

// Some of them in one batch: what a player's program makes.
static kifu_result build_batch(kifu_timeline *timeline, kifu_buffer *batch)
{
    kifu_buffer one = {0};
    kifu_result result = KIFU_OK;
    for (size_t i = 3; i < sizeof all / sizeof *all && !result; i += 2) {
        result = all[i].build(timeline, &one);
        if (!result)
            result = kifu_add_bytes(timeline, batch, one.data, one.size);
    }
    kifu_free_buffer(&one);
    return result;
}

// Reads a batch that another program wrote, and writes it as Kifu does: `again`.
static kifu_result read_batch(kifu_timeline *timeline, const char *path, kifu_buffer *again)
{
    static unsigned char bytes[4096];
    kifu_request request;
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    const kifu_result result = kifu_read_request(timeline, 0, bytes, size, &request);
    if (!result)
        printf("%u events\n", (unsigned)request.events);
    return result ? result : kifu_add_bytes(timeline, again, bytes, size);
}

int main(int argc, char **argv)
{
    kifu__type types[16]; // of which each may be played
    kifu_rules rules = wire_rules;
    memcpy(types, rules.types, (rules.type_count + 1) * sizeof *types);
    for (uint32_t i = 1; i <= rules.type_count; i++)
        types[i].is_player = true;
    rules.types = types;
    kifu_timeline *timeline;
    kifu_buffer buffer = {0}, batch = {0};
    int status = EXIT_SUCCESS;
    if (argc < 2 || argc > 3 || kifu_create(&rules, NULL, &timeline, NULL)) {
        fprintf(stderr, "write_bytes FOLDER [BATCH]\n");
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < sizeof all / sizeof *all && !status; i++) {
        if (all[i].build(timeline, &buffer)) {
            fprintf(stderr, "%s: %s\n", all[i].name, kifu_last_error(timeline)->message);
            status = EXIT_FAILURE;
        } else {
            status = write_file(argv[1], all[i].name, buffer.data, buffer.size);
        }
    }
    if (!status && (argc == 3 ? read_batch(timeline, argv[2], &batch) : build_batch(timeline, &batch))) {
        fprintf(stderr, "the batch: %s\n", kifu_last_error(timeline)->message);
        status = EXIT_FAILURE;
    }
    if (!status)
        status = write_file(argv[1], argc == 3 ? "Again" : "Batch", batch.data, batch.size);
    kifu_free_buffer(&buffer);
    kifu_free_buffer(&batch);
    kifu_destroy(timeline);
    return status;
}
