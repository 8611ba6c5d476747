// kifu json, recover, pack, unpack: a game out of one file into another.

#include "base/os.h"
#include "tool/command.h"

#include <inttypes.h>
#include <stdlib.h>

#ifdef KIFU_WITH_ZSTD
#include <kifu/zstd.h>
#endif

// --- Where to --------------------------------------------------------------------------------------------------------

// NULL: complained.
static const char *output_of(const kifu__line *line)
{
    if (line->output && line->in_place) {
        kifu__complain(line, NULL, "give either --output or --in-place");
        return NULL;
    }
    if (line->in_place && !strcmp(line->files[0], "-")) {
        kifu__complain(line, NULL, "standard input cannot be replaced: give --output");
        return NULL;
    }
    if (line->in_place)
        return line->files[0];
    if (line->output && strcmp(line->output, "-") != 0)
        return line->output;
    if (kifu__is_terminal(stdout)) {
        kifu__complain(line, NULL, "a save is no text for a terminal: say where to write it with --output FILE");
        return NULL;
    }
    return "-";
}

static int write_game(const kifu__line *line, kifu__game_file *file, const char *path, const kifu_codec *codec)
{
    kifu_error error;
    kifu_set_progress(file->timeline, kifu__goes_on, line->work);
    if (kifu__write_game(file, path, codec, !line->no_schema, &error)) {
        kifu__explain_load(&error);
        return kifu__complain(line, path, error.message);
    }
    return kifu__end_output(line, KIFU__EXIT_WELL);
}

// --- JSON ------------------------------------------------------------------------------------------------------------

// Text goes to a file that takes the place of another only when it is whole.
typedef struct target {
    kifu__replacement replacement;
    kifu_error error;
} target;

static kifu_result write_to_target(void *context, const char *text, size_t size)
{
    target *target = (struct target *)context;
    return kifu__os_replace_write(&target->replacement, text, size, &target->error);
}

static int json_to_file(const kifu__line *line, const kifu__game_file *file, const kifu__facts *facts)
{
    target target;
    kifu_result result =
        kifu__os_replace_begin(line->output, &file->timeline->memory, &target.replacement, &target.error);
    if (result)
        return kifu__complain(line, line->output, target.error.message);
    kifu__printer printer = {.write = write_to_target, .context = &target};
    kifu__print_game(&printer, file->timeline, facts);
    result = kifu__print_end(&printer);
    if (result)
        kifu__os_replace_abandon(&target.replacement);
    else
        result = kifu__os_replace_commit(&target.replacement, NULL, &target.error);
    return result ? kifu__complain(line, line->output, target.error.message) : KIFU__EXIT_WELL;
}

static int to_json(const kifu__line *line, kifu__game_file *file)
{
    kifu_save_options options = kifu__options_of(file);
    options.without_schema = line->no_schema;
    options.without_snapshot = line->no_state;
    const kifu__facts facts = kifu__facts_of(file, &options);
    if (line->output && strcmp(line->output, "-") != 0)
        return json_to_file(line, file, &facts);
    kifu__printer printer = kifu__stdout_printer(false);
    kifu__print_game(&printer, file->timeline, &facts);
    (void)kifu__print_end(&printer); // The stream remembers it.
    return kifu__end_output(line, KIFU__EXIT_WELL);
}

static int from_json(const kifu__line *line, kifu__game_file *file)
{
    const char *path = output_of(line);
    if (line->no_state)
        kifu__drop_states(file);
    return path ? write_game(line, file, path, NULL) : KIFU__EXIT_TROUBLE;
}

int kifu__json(const kifu__line *line)
{
    kifu__game_file file;
    if (!kifu__open_or_complain(line, line->files[0], &file))
        return KIFU__EXIT_TROUBLE;
    const int status = (file.is_json ? from_json : to_json)(line, &file);
    kifu__close_game(&file);
    return status;
}

// --- Recovery --------------------------------------------------------------------------------------------------------

int kifu__recover(const kifu__line *line)
{
    kifu__open_options options = kifu__opening(line, line->files[0]);
    const char *path = output_of(line);
    kifu__game_file file;
    kifu_error error;
    if (!path)
        return KIFU__EXIT_TROUBLE;
    options.recover = true;
    if (kifu__open_game(line->files[0], &options, &file, &error)) {
        kifu__complain(line, line->files[0], error.message);
        kifu__close_game(&file);
        return KIFU__EXIT_TROUBLE;
    }
    const int status = write_game(line, &file, path, NULL);
    if (!status)
        kifu__complain_of(
            line, line->files[0], "%.700s; %" PRIu32 " events were recovered (lines: %" PRIu32 ", notes: %" PRIu32 ")",
            file.recovery.why.result ? file.recovery.why.message : "nothing is wrong with it",
            kifu_event_count(file.timeline), kifu_line_count(file.timeline), kifu__count_notes(file.timeline));
    kifu__close_game(&file);
    return status;
}

// --- Packing ---------------------------------------------------------------------------------------------------------

static int rewrite(const kifu__line *line, const kifu_codec *codec)
{
    const char *path = output_of(line);
    kifu__game_file file;
    if (!path || !kifu__open_or_complain(line, line->files[0], &file))
        return KIFU__EXIT_TROUBLE;
    kifu__line own = *line;
    own.no_schema = !file.has_schema;
    const int status = write_game(&own, &file, path, codec);
    kifu__close_game(&file);
    return status;
}

int kifu__pack_save(const kifu__line *line)
{
    if (!line->level)
        return rewrite(line, &kifu_compact);
#ifdef KIFU_WITH_ZSTD
    int level = line->level;
    kifu_codec codec = *kifu_zstd();
    codec.context = level > 0 ? &level : NULL;
    return rewrite(line, &codec);
#else
    return kifu__complain(line, NULL, "this program was built without zstd, and packs with --level 0 only");
#endif
}

int kifu__unpack_save(const kifu__line *line)
{
    return rewrite(line, NULL);
}
