// Packed saves, by a codec of the tests' own: what comes back, and within which bounds.

#include "packed_help.h"

// --- What comes back -------------------------------------------------------------------------------------------------

START_TEST(S03_a_packed_save_is_the_same_game)
{
    const kifu_load_options ways[] = {{.codec = &run_codec}, {.codec = &run_codec, .fast = true}};
    for (int way = 0; way < 4; way++) {
        kifu_timeline *lab = way < 2 ? rich_game(NULL) : full_game(NULL);
        save plain = save_of(lab, NULL), packed = save_of(lab, &packing);
        ck_assert_uint_lt(packed.size, plain.size);
        kifu_timeline *loaded = load_with(&packed, &ways[way % 2]);
        expect_same(lab, loaded);
        save again = save_of(loaded, &packing);
        expect_same_bytes(&packed, &again);
        if (way < 2) {
            lab_must(lab, kifu_redo(lab));
            lab_must(loaded, kifu_redo(loaded));
            expect_same(lab, loaded);
        }
        lab_must(lab, kifu_run(lab));
        lab_must(loaded, kifu_run(loaded));
        expect_same(lab, loaded);
        free(plain.bytes);
        free(packed.bytes);
        free(again.bytes);
        kifu_destroy(lab);
        kifu_destroy(loaded);
    }
}
END_TEST

START_TEST(a_packed_save_is_a_header_and_one_frame)
{
    kifu_timeline *lab = full_game(NULL);
    for (int i = 0; i < 12; i++) // so much that the segment gets smaller, too
        lab_must(lab, kifu_step(lab));
    save packed = save_of(lab, &packing);
    ck_assert_uint_eq(packed.bytes[8], FORMAT_VERSION);
    frames frames = frames_of(&packed);
    ck_assert_int_eq(frames.count, 2);
    ck_assert_uint_eq(frames.all[1].kind, FRAME_PACKED);
    ck_assert_uint_eq(packed_kinds(&frames), 1u << FRAME_SCHEMA | 1u << FRAME_COMMIT);
    free(packed.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(S03_an_empty_timeline_is_packed_too)
{
    kifu_timeline *lab = lab_new(NULL);
    kifu_timeline *loaded = packed_copy_of(lab);
    expect_same(lab, loaded);
    kifu_destroy(lab);
    kifu_destroy(loaded);
}
END_TEST

START_TEST(S03_a_game_loaded_from_packed_saves_goes_on_as_the_saved_one)
{
    uint32_t seed = (uint32_t)fuzz_seed();
    unsigned long steps = fuzz_steps(1500);
    kifu_timeline *lab = lab_new(NULL), *loaded = lab_new(NULL);
    for (unsigned long i = 0; i < steps; i++) {
        uint32_t choice = next_random(&seed);
        random_lab_step(lab, choice);
        random_lab_step(loaded, choice);
        expect_same(lab, loaded);
        if (next_random(&seed) % 16 == 0) {
            save save = save_of(loaded, next_random(&seed) % 3 ? &packing : NULL);
            kifu_timeline *again = load_with(&save, &unpacking);
            kifu_destroy(loaded);
            free(save.bytes);
            loaded = again;
            expect_same(lab, loaded);
        }
        if (kifu_event_count(lab) > 120) {
            kifu_destroy(lab);
            kifu_destroy(loaded);
            lab = lab_new(NULL);
            loaded = lab_new(NULL);
        }
    }
    kifu_destroy(lab);
    kifu_destroy(loaded);
}
END_TEST

// Joined segments; undone into what was unpacked; forked from there; saved plain and packed.
START_TEST(S03_a_long_packed_game_is_undone_redone_forked_and_saved)
{
    kifu_timeline *lab = lab_new(NULL), *fork;
    for (int i = 0; i < 12000; i++)
        lab_do(lab, i % 3, i % 7 ? "+" : NULL, (uint8_t)(1 + i % 2));
    lab_must(lab, kifu_run(lab));
    save whole = save_of(lab, &packing);
    frames frames = frames_of(&whole);
    ck_assert_int_eq(frames.count, 2);
    free(whole.bytes);

    kifu_timeline *loaded = packed_copy_of(lab);
    expect_same_long(lab, loaded);
    for (int i = 0; i < 5000; i++) {
        lab_must(lab, kifu_undo(lab));
        lab_must(loaded, kifu_undo(loaded));
    }
    expect_same_long(lab, loaded);
    kifu_error error;
    ck_assert_msg(!kifu_fork(loaded, 6000, NULL, &fork, &error), "%s", error.message);
    ck_assert_uint_eq(kifu_event_count(fork), 6000);
    kifu_destroy(fork);
    kifu_timeline *again = packed_copy_of(loaded); // with 5000 to be redone
    expect_same_long(lab, again);
    kifu_destroy(loaded);
    for (int i = 0; i < 100; i++) {
        lab_must(lab, kifu_redo(lab));
        lab_must(again, kifu_redo(again));
    }
    lab_must(again, lab_play(again, "-")); // cuts an unpacked segment
    lab_must(lab, lab_play(lab, "-"));
    expect_same_long(lab, again);
    loaded = packed_copy_of(again);
    expect_same_long(lab, loaded);
    kifu_destroy(loaded);
    save plain = save_of(again, NULL);
    loaded = load_again(&plain);
    expect_same_long(lab, loaded);
    free(plain.bytes);
    kifu_destroy(lab);
    kifu_destroy(loaded);
    kifu_destroy(again);
}
END_TEST

static void play_many(kifu_timeline *lab, int count)
{
    for (int i = 0; i < count; i++)
        lab_do(lab, i % 3, NULL, 0);
    lab_must(lab, kifu_run(lab));
}

// A game that is saved and loaded for every turn is not made of ever more pieces.
START_TEST(the_last_segment_of_a_packed_save_goes_on)
{
    kifu_timeline *lab = lab_new(NULL), *once = lab_new(NULL);
    for (int i = 0; i < 60; i++) {
        lab_must(lab, lab_play(lab, "+"));
        lab_must(once, lab_play(once, "+"));
        kifu_timeline *loaded = packed_copy_of(lab);
        kifu_destroy(lab);
        lab = loaded;
    }
    const kifu_save_options small = {.without_schema = true, .codec = &run_codec};
    save many = save_of(lab, &small), one = save_of(once, &small);
    ck_assert_uint_le(many.size, one.size + 8); // a run of rows more
    free(many.bytes);
    free(one.bytes);
    kifu_destroy(lab);
    kifu_destroy(once);
}
END_TEST

// The first event's string is that of the second, as another writer may share it: such a segment is rebuilt.
START_TEST(a_layout_that_cannot_be_packed_is_rebuilt)
{
    kifu_timeline *lab = lab_new(NULL);
    for (int i = 0; i < 40; i++)
        lab_must(lab, lab_play(lab, "+"));
    save plain = save_of(lab, NULL);
    frames frames = frames_of(&plain);
    unsigned char *bytes = first_segment(&frames);
    const uint32_t script = (uint32_t)offsetof(lab_p_do, script), first = event_in(bytes, 0) + script,
                   second = event_in(bytes, 1) + script;
    set32(bytes + first, second + get32(bytes + second) - first);
    save shared = save_of_frames(&frames);
    kifu_timeline *loaded = load_again(&shared);
    expect_same(lab, loaded);
    save unchanged = save_of(loaded, NULL); // A load rebuilds the last segment alone.
    struct frames left = frames_of(&unchanged);
    const uint32_t size = left.all[find_frame(&left, FRAME_SEGMENT)].size;
    ck_assert_uint_eq(size, frames.all[find_frame(&frames, FRAME_SEGMENT)].size);
    ck_assert_mem_eq(first_segment(&left), bytes, size);
    free(unchanged.bytes);
    save packed = save_of(loaded, &packing);
    frames = frames_of(&packed);
    ck_assert_int_eq(find_frame(&frames, FRAME_SEGMENT), -1);
    kifu_timeline *again = load_with(&packed, &unpacking);
    expect_same(loaded, again);
    free(plain.bytes);
    free(shared.bytes);
    free(packed.bytes);
    kifu_destroy(lab);
    kifu_destroy(loaded);
    kifu_destroy(again);
}
END_TEST

// To be packed, its events would have to be rebuilt, each with a copy of its own of what they share.
START_TEST(what_would_grow_without_limit_is_saved_plain)
{
    char script[30001];
    memset(script, '+', sizeof script - 1);
    script[sizeof script - 1] = '\0';
    save few = shared_save(RECORD_EVENTS, 20, "+++(+++(+++))"); // They are rebuilt, and take more bytes then.
    save many = shared_save(RECORD_EVENTS, 200, script);
    static const unsigned char two[] = {0, 2};
    frames both_frames = frames_of(&many), few_frames = frames_of(&few);
    const save_frame segment = few_frames.all[find_frame(&few_frames, FRAME_SEGMENT)];
    records records = first_records(&both_frames);
    records.all[find_record(&records, RECORD_EVENTS)].body = two;
    insert_frame(&both_frames, find_frame(&both_frames, FRAME_SEGMENT), FRAME_SEGMENT, segment.payload, segment.size);
    save both = save_of_records(&both_frames, find_frame(&both_frames, FRAME_COMMIT), &records);
    const save *const saves[] = {&few, &many, &both};
    for (int way = 0; way < 3; way++) {
        kifu_timeline *loaded = load_again(saves[way]);
        save packed = save_of(loaded, &packing);
        frames frames = frames_of(&packed);
        ck_assert_int_eq(find_frame(&frames, FRAME_SEGMENT) >= 0, way > 0);
        ck_assert_int_eq(find_frame(&frames, FRAME_PACKED) >= 0, way == 0);
        kifu_timeline *again = load_with(&packed, &unpacking);
        expect_same_long(loaded, again);
        kifu_destroy(again);
        kifu_destroy(loaded);
        free(packed.bytes);
    }
    free(few.bytes);
    free(many.bytes);
    free(both.bytes);
}
END_TEST

START_TEST(events_keep_the_rules_version_that_they_happened_under)
{
    kifu_rules later = lab_rules;
    later.rules_version++;
    kifu_timeline *lab = lab_new(NULL), *loaded, *again;
    for (int i = 0; i < 30; i++)
        lab_must(lab, lab_play(lab, "+"));
    save save = save_of(lab, &packing);
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&later, save.bytes, save.size, NULL, &unpacking, &loaded, &error), KIFU_OK);
    free(save.bytes);
    for (int i = 0; i < 30; i++)
        lab_must(loaded, lab_play(loaded, "-"));
    save = save_of(loaded, &packing);
    ck_assert_int_eq(kifu_load_from_memory(&later, save.bytes, save.size, NULL, &unpacking, &again, &error), KIFU_OK);
    expect_same(loaded, again);
    kifu_event event;
    ck_assert(kifu_event_at(again, 29, &event));
    ck_assert_uint_eq(event.rules_version, lab_rules.rules_version);
    ck_assert(kifu_event_at(again, 30, &event));
    ck_assert_uint_eq(event.rules_version, later.rules_version);
    free(save.bytes);
    kifu_destroy(lab);
    kifu_destroy(loaded);
    kifu_destroy(again);
}
END_TEST

// --- Without a codec -------------------------------------------------------------------------------------------------

START_TEST(M06_a_compact_save_needs_no_compressor)
{
    const kifu_codec *const codecs[] = {&kifu_compact, &run_codec};
    kifu_timeline *lab = full_game(NULL);
    for (int i = 0; i < 200; i++)
        lab_must(lab, lab_play(lab, "+"));
    const kifu_save_options options = {.without_schema = true, .codec = &kifu_compact};
    save plain = save_of(lab, &(kifu_save_options){.without_schema = true}), compact = save_of(lab, &options);
    ck_assert_uint_lt(compact.size, plain.size / 4 * 3);
    for (int i = 0; i < 2; i++) {
        kifu_timeline *loaded = load_with(&compact, &(kifu_load_options){.codec = codecs[i]});
        expect_same(lab, loaded);
        save again = save_of(loaded, &options);
        expect_same_bytes(&compact, &again);
        free(again.bytes);
        kifu_destroy(loaded);
    }
    free(plain.bytes);
    free(compact.bytes);
    kifu_destroy(lab);
}
END_TEST

// --- Log files -------------------------------------------------------------------------------------------------------

START_TEST(S03_a_log_file_is_plain_and_packed_when_it_is_closed)
{
    kifu_timeline *lab = full_game(NULL);
    kifu_timeline *loaded = packed_copy_of(lab);
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    lab_must(loaded, kifu_log_open(loaded, path, &packing));
    for (int i = 0; i < 3; i++) {
        lab_must(lab, kifu_run(lab));
        lab_must(loaded, kifu_run(loaded));
        lab_must(lab, lab_play(lab, "+"));
        lab_must(loaded, lab_play(loaded, "+"));
        lab_must(loaded, kifu_log_append(loaded));
    }
    save open;
    open.bytes = read_bytes(path, &open.size);
    frames frames = frames_of(&open);
    ck_assert_int_lt(find_frame(&frames, FRAME_PACKED), 0);
    kifu_recovery recovery;
    const kifu_load_options recover = {.recover = kifu_recover, .recovery = &recovery}; // without a codec
    kifu_timeline *again = load_with(&open, &recover);
    expect_same(lab, again);
    kifu_destroy(again);
    free(open.bytes);
    lab_must(loaded, kifu_log_close(loaded, &packing));
    save closed;
    closed.bytes = read_bytes(path, &closed.size);
    frames = frames_of(&closed);
    ck_assert_int_eq(find_frame(&frames, FRAME_PACKED), 1);
    again = load_with(&closed, &unpacking);
    expect_same(lab, again);
    kifu_destroy(again);
    free(closed.bytes);
    remove_folder(folder);
    kifu_destroy(lab);
    kifu_destroy(loaded);
}
END_TEST

// It is one frame, and that is there or not.
START_TEST(S05_of_a_packed_save_that_was_cut_off_nothing_is_recovered)
{
    kifu_timeline *lab = full_game(NULL);
    const kifu_save_options options = {.without_schema = true, .codec = &run_codec};
    save whole = save_of(lab, &options);
    for (size_t size = 0; size <= whole.size; size++) {
        save cut = {malloc(size ? size : 1), size};
        memcpy(cut.bytes, whole.bytes, size);
        kifu_recovery recovery = {.dropped = 0};
        const kifu_load_options way = {.codec = &run_codec, .recover = kifu_recover, .recovery = &recovery};
        kifu_timeline *timeline;
        kifu_error error;
        const kifu_result result =
            kifu_load_from_memory(&lab_rules, cut.bytes, cut.size, NULL, &way, &timeline, &error);
        ck_assert_int_eq(!result, size == whole.size);
        ck_assert_int_eq(recovery.why.result, KIFU_OK);
        ck_assert_uint_eq(recovery.dropped, 0);
        if (!result)
            expect_same(lab, timeline);
        else
            ck_assert_msg(result == (size ? KIFU_DAMAGED : KIFU_NOT_A_SAVE), "%s", error.message);
        kifu_destroy(timeline);
        free(cut.bytes);
    }
    free(whole.bytes);
    kifu_destroy(lab);
}
END_TEST

// --- The codec -------------------------------------------------------------------------------------------------------

START_TEST(a_packed_save_without_its_codec_is_refused_by_name)
{
    kifu_timeline *lab = rich_game(NULL);
    save save = save_of(lab, &packing);
    kifu_codec other = run_codec;
    other.name = "walks";
    const kifu_load_options with_other = {.codec = &other};
    refused_with(&save, NULL, KIFU_NO_CODEC, "packed by the codec 'runs', and kifu_load_options.codec is NULL");
    refused_with(&save, &with_other, KIFU_NO_CODEC, "'runs', and kifu_load_options.codec is 'walks'");
    other.name = "zstd"; // as if zstd had packed it
    const kifu_save_options as_zstd = {.codec = &other};
    struct save of_zstd = save_of(lab, &as_zstd);
    refused_with(&of_zstd, NULL, KIFU_NO_CODEC, "kifu_zstd() of kifu/zstd.h");
    free(of_zstd.bytes);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(M06_a_compact_save_says_how_to_load_it)
{
    kifu_timeline *lab = full_game(NULL);
    save compact = save_of(lab, &(kifu_save_options){.codec = &kifu_compact}), packed = save_of(lab, &packing);
    refused_with(&compact, NULL, KIFU_NO_CODEC, "'kifu_compact', and kifu_load_options.codec is NULL");
    refused_with(&compact, NULL, KIFU_NO_CODEC, "kifu/codec.h");
    refused_with(&packed, &(kifu_load_options){.codec = &kifu_compact}, KIFU_NO_CODEC,
                 "'runs', and kifu_load_options.codec is 'kifu_compact'");
    free(compact.bytes);
    free(packed.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(R08_what_was_packed_before_says_to_go_over_by_JSON)
{
    kifu_timeline *lab = full_game(NULL);
    save save = save_of(lab, &packing);
    for (unsigned char version = 1; version < FORMAT_VERSION; version++) {
        save.bytes[8] = version;
        refused(&save, KIFU_UNSUPPORTED, "Kifu 0.2 or before");
        refused_with(&save, NULL, KIFU_UNSUPPORTED, "`kifu json`");
    }
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// Whatever is in the file: found when the program is first run, not with the first packed save.
START_TEST(a_codec_without_packing_is_misuse_that_says_what_to_set)
{
    kifu_timeline *lab = rich_game(NULL), *timeline;
    kifu_codec bare = run_codec;
    bare.packing = NULL;
    const kifu_save_options saving = {.codec = &bare};
    const kifu_load_options loading = {.codec = &bare};
    unsigned char *bytes;
    size_t size;
    ck_assert_int_eq(kifu_save_to_memory(lab, &saving, &bytes, &size), KIFU_MISUSE);
    ck_assert_ptr_nonnull(
        strstr(kifu_last_error(lab)->message, "'runs' has no packing: set kifu_codec.packing to &kifu_packing"));
    save plain = save_of(lab, NULL);
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&lab_rules, plain.bytes, plain.size, NULL, &loading, &timeline, &error),
                     KIFU_MISUSE);
    ck_assert_ptr_nonnull(strstr(error.message, "'runs' has no packing: set kifu_codec.packing to &kifu_packing"));
    free(plain.bytes);
    kifu_destroy(lab);
}
END_TEST

static bool look_at_info(void *context, const kifu_save_info *info)
{
    ck_assert_ptr_null(info->error);
    ck_assert_str_eq(info->game, "lab");
    ck_assert_str_eq(info->title, "packed");
    ck_assert_ptr_null(info->schema);
    *(uint32_t *)context = info->event_count;
    return true;
}

START_TEST(S07_listing_packed_saves_takes_no_codec)
{
    kifu_timeline *lab = rich_game(NULL);
    char *folder = new_folder();
    const char *path = in_folder(folder, "a.kifu");
    const kifu_save_options options = {.title = "packed", .codec = &run_codec};
    uint32_t count = 0;
    lab_must(lab, kifu_save(lab, path, &options));
    ck_assert_int_eq(kifu_read_save_info(path, look_at_info, &count, NULL, NULL), KIFU_OK);
    ck_assert_uint_eq(count, kifu_event_count(lab));
    remove_folder(folder);
    kifu_destroy(lab);
}
END_TEST

static void add_schema(frames *inner, void *context)
{
    static const unsigned char zeros[64] = {0};
    (void)context;
    insert_frame(inner, find_frame(inner, FRAME_SCHEMA) + 1, FRAME_SCHEMA, zeros, sizeof zeros);
}

START_TEST(S06_an_unknown_event_type_in_a_packed_save_is_named)
{
    kifu_timeline *lab = rich_game(NULL), *timeline;
    save original = save_of(lab, &packing);
    save save = save_with_inner(&original, add_schema, NULL); // behind the real one
    free(original.bytes);
    kifu_rules older = lab_rules;
    older.type_count = LAB_P_DO - 1;
    kifu_error error;
    ck_assert_int_eq(kifu_load_from_memory(&older, save.bytes, save.size, NULL, &unpacking, &timeline, &error),
                     KIFU_UNKNOWN_EVENT);
    ck_assert_ptr_nonnull(strstr(error.message, "lab.PDo"));
    ck_assert_uint_eq(error.event, 3);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// Fails in the call whose turn it is.
typedef struct failing {
    int until_failure;
    kifu_result result;
} failing;

static kifu_result fail_to_compress(void *context, const void *bytes, size_t size, void *packed, size_t room,
                                    size_t *packed_size)
{
    failing *failing = context;
    if (failing->until_failure-- == 0)
        return failing->result;
    return run_compress(NULL, bytes, size, packed, room, packed_size);
}

static kifu_result fail_to_decompress(void *context, const void *packed, size_t packed_size, void *bytes, size_t size)
{
    failing *failing = context;
    if (failing->until_failure-- == 0)
        return failing->result;
    return run_decompress(NULL, packed, packed_size, bytes, size);
}

START_TEST(a_codec_that_fails_fails_the_save_and_the_load)
{
    kifu_timeline *lab = rich_game(NULL), *loaded;
    failing failing = {.result = KIFU_IO};
    const kifu_codec codec = {"runs", run_bound, fail_to_compress, fail_to_decompress, &failing, &kifu_packing};
    const kifu_save_options packs = {.codec = &codec};
    const kifu_load_options unpacks = {.codec = &codec};
    save good = save_of(lab, &packing);
    kifu_result result = KIFU_IO;
    for (int at = 0; result; at++) {
        unsigned char *bytes;
        size_t size;
        failing.until_failure = at;
        result = kifu_save_to_memory(lab, &packs, &bytes, &size);
        ck_assert_int_eq(result, result ? KIFU_IO : KIFU_OK);
        ck_assert(!result == (bytes != NULL));
        kifu_free_bytes(lab, bytes);
        ck_assert(result || at == 1); // All is packed in one call.
    }
    failing.result = KIFU_FAILED; // what it cannot unpack, for whatever reason, is damaged
    result = KIFU_DAMAGED;
    for (int at = 0; result; at++) {
        kifu_error error;
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        failing.until_failure = at;
        result = kifu_load_from_memory(&lab_rules, good.bytes, good.size, &options, &unpacks, &loaded, &error);
        ck_assert_int_eq(result, result ? KIFU_DAMAGED : KIFU_OK);
        if (!result)
            kifu_destroy(loaded);
        ck_assert_int_eq(memory.blocks, 0);
        if (result) {
            ck_assert_msg(strstr(error.message, "its codec cannot unpack it"), "%s", error.message);
            frames frames = frames_of(&good);
            int frame = 0;
            while (frames.all[frame].offset != error.offset)
                ck_assert_int_lt(++frame, frames.count);
            ck_assert_uint_eq(frames.all[frame].kind, FRAME_PACKED);
        }
    }
    failing = (struct failing){.result = KIFU_NO_MEMORY};
    refused_with(&good, &unpacks, KIFU_NO_MEMORY, "out of memory");
    free(good.bytes);
    kifu_destroy(lab);
}
END_TEST

START_TEST(what_is_too_large_for_a_codec_is_saved_plain)
{
    kifu_timeline *lab = full_game(NULL);
    failing failing = {.result = KIFU_TOO_LARGE};
    const kifu_codec codec = {"runs", run_bound, fail_to_compress, fail_to_decompress, &failing, &kifu_packing};
    const kifu_save_options packs = {.codec = &codec};
    save whole = save_of(lab, &packing), save = save_of(lab, &packs);
    frames frames = frames_of(&save), all_packed = frames_of(&whole);
    ck_assert_int_eq(find_frame(&all_packed, FRAME_PACKED), 1);
    ck_assert_int_eq(find_frame(&frames, FRAME_PACKED), -1);
    ck_assert_int_eq(find_frame(&frames, FRAME_SCHEMA), 1);
    kifu_timeline *loaded = load_with(&save, &unpacking);
    expect_same(lab, loaded);
    kifu_destroy(loaded);
    free(whole.bytes);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// --- Bounds ----------------------------------------------------------------------------------------------------------

// A gigabyte from a small file, and two from a larger one.
START_TEST(S05_a_small_file_does_not_ask_for_much_memory)
{
    enum { LARGE = 3 << 20 };
    unsigned char *noise = malloc(LARGE);
    uint32_t seed = 1;
    for (uint32_t i = 0; i < LARGE; i++)
        noise[i] = (unsigned char)next_random(&seed);
    kifu_timeline *lab = rich_game(NULL);
    save save = save_of(lab, &packing);
    for (int way = 0; way < 2; way++) {
        frames frames = frames_of(&save);
        save_frame bomb;
        pack_block(&bomb, noise, way ? LARGE : 1000);
        ((unsigned char *)(uintptr_t)bomb.payload)[3] = way ? 0x80 : 0x40;
        insert_frame(&frames, 1, FRAME_PACKED, bomb.payload, bomb.size);
        struct save changed = save_of_frames(&frames);
        test_memory memory = {.until_failure = -1};
        const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
        refused_by(&changed, &options, &unpacking, KIFU_TOO_LARGE, "kifu_load_options.memory allows");
        ck_assert_uint_le(memory.most, changed.size > 100000 ? changed.size : 100000);
        ck_assert_int_eq(memory.blocks, 0);
        free((void *)(uintptr_t)bomb.payload);
        free(changed.bytes);
    }
    free(noise);
    free(save.bytes);
    kifu_destroy(lab);
}
END_TEST

// What no event is a part of is freed once all is unpacked: here, a file with a large picture.
START_TEST(a_loaded_game_keeps_no_file_that_it_does_not_need)
{
    enum { LARGE = 1 << 20 };
    unsigned char *picture = calloc(1, LARGE);
    kifu_timeline *lab = lab_new(NULL);
    play_many(lab, 100);
    const kifu_save_options options = {.codec = &run_codec, .thumbnail = picture, .thumbnail_size = LARGE};
    save save = save_of(lab, &options);
    ck_assert_uint_gt(save.size, LARGE);
    test_memory memory = {.until_failure = -1};
    kifu_timeline *loaded =
        load_by(&save, &(kifu_options){.allocate = test_allocate, .allocate_context = &memory}, &unpacking);
    expect_same_long(lab, loaded);
    ck_assert_uint_gt(memory.most, LARGE);
    ck_assert_uint_lt(memory.bytes, LARGE);
    kifu_destroy(loaded);
    ck_assert_int_eq(memory.blocks, 0);
    kifu_destroy(lab);
    free(save.bytes);
    free(picture);
}
END_TEST

// A codec too good to be true: it keeps everything itself, and packs it to four bytes.
typedef struct shelf {
    unsigned char *items[64];
    uint32_t count;
} shelf;

static size_t shelf_bound(void *context, size_t size)
{
    (void)context, (void)size;
    return 4;
}

static kifu_result to_shelf(void *context, const void *bytes, size_t size, void *packed, size_t room,
                            size_t *packed_size)
{
    shelf *shelf = context;
    ck_assert_uint_ge(room, 4);
    unsigned char *copy = malloc(size);
    memcpy(copy, bytes, size);
    memcpy(packed, &shelf->count, 4);
    shelf->items[shelf->count++] = copy;
    *packed_size = 4;
    return KIFU_OK;
}

static kifu_result from_shelf(void *context, const void *packed, size_t packed_size, void *bytes, size_t size)
{
    uint32_t number;
    ck_assert_uint_eq(packed_size, 4);
    memcpy(&number, packed, 4);
    memcpy(bytes, ((shelf *)context)->items[number], size);
    return KIFU_OK;
}

START_TEST(what_would_break_the_bound_is_saved_plain)
{
    enum { LONG = 2 << 20 };
    shelf shelf = {.count = 0};
    const kifu_codec codec = {"shelf", shelf_bound, to_shelf, from_shelf, &shelf, &kifu_packing};
    const kifu_save_options packs = {.codec = &codec};
    const kifu_load_options unpacks = {.codec = &codec};
    char *script = malloc(LONG + 1);
    memset(script, 'x', LONG);
    script[LONG] = '\0';
    for (int count = 5; count <= 10; count += 5) { // ten MiB and as many of rows, and twice as many
        kifu_timeline *lab = lab_new(NULL);
        for (int i = 0; i < count; i++)
            lab_do(lab, 0, script, 0);
        lab_must(lab, kifu_run(lab));
        save save = save_of(lab, &packs);
        ck_assert_uint_eq(save.size > LONG, count == 10);
        kifu_timeline *loaded = load_with(&save, &unpacks);
        expect_same_long(lab, loaded);
        free(save.bytes);
        kifu_destroy(lab);
        kifu_destroy(loaded);
    }
    while (shelf.count)
        free(shelf.items[--shelf.count]);
    free(script);
}
END_TEST

// A codec that packs to as many bytes as the test wants: it keeps everything itself.
static size_t shelf_size;

static kifu_result to_shelf_in_more(void *context, const void *bytes, size_t size, void *packed, size_t room,
                                    size_t *packed_size)
{
    to_shelf(context, bytes, size, packed, room, packed_size);
    memset((char *)packed + 4, 0, shelf_size - 4);
    *packed_size = shelf_size;
    return KIFU_OK;
}

static size_t large_shelf_bound(void *context, size_t size)
{
    (void)context;
    return size;
}

START_TEST(only_what_gets_smaller_is_packed)
{
    shelf shelf = {.count = 0};
    const kifu_codec codec = {"shelf", large_shelf_bound, to_shelf_in_more, from_shelf, &shelf, &kifu_packing};
    kifu_timeline *lab = lab_new(NULL);
    save plain = save_of(lab, &(kifu_save_options){.without_schema = true});
    frames plain_frames = frames_of(&plain);
    const uint32_t most = plain_frames.all[find_frame(&plain_frames, FRAME_COMMIT)].size;
    int packed_count = 0;
    for (shelf_size = most - 200; shelf_size < most; shelf_size += 4) {
        save save = save_of(lab, &(kifu_save_options){.without_schema = true, .codec = &codec});
        frames frames = frames_of(&save);
        const bool packed = find_frame(&frames, FRAME_PACKED) >= 0;
        packed_count += packed;
        ck_assert(packed ? save.size < plain.size : save.size == plain.size);
        free(save.bytes);
        free(shelf.items[--shelf.count]);
    }
    ck_assert_int_gt(packed_count, 0);
    ck_assert_int_lt(packed_count, 50);
    free(plain.bytes);
    kifu_destroy(lab);
}
END_TEST

// The packed save of a timeline that has this memory, which may end at any allocation.
static unsigned char *save_with_little_memory(kifu_timeline *lab, test_memory *memory, size_t *size)
{
    const long blocks = memory->blocks;
    kifu_result result = KIFU_NO_MEMORY;
    unsigned char *bytes = NULL;
    for (long at = 0; result; at++) {
        memory->until_failure = at;
        result = kifu_save_to_memory(lab, &packing, &bytes, size);
        memory->until_failure = -1;
        ck_assert_int_eq(result, result ? KIFU_NO_MEMORY : KIFU_OK);
        if (result)
            must_say(lab, "out of memory");
        ck_assert_int_eq(memory->blocks, blocks + !result);
    }
    return bytes;
}

START_TEST(no_memory_while_a_layout_is_rebuilt_leaks_nothing)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    save shared = shared_save(RECORD_EVENTS, 20, "+++");
    kifu_timeline *lab = load_by(&shared, &options, NULL);
    size_t size;
    kifu_free_bytes(lab, save_with_little_memory(lab, &memory, &size));
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
    free(shared.bytes);
}
END_TEST

START_TEST(no_memory_at_any_allocation_leaks_nothing)
{
    test_memory memory = {.until_failure = -1};
    const kifu_options options = {.allocate = test_allocate, .allocate_context = &memory};
    kifu_timeline *lab = full_game(&options);
    size_t size;
    unsigned char *bytes = save_with_little_memory(lab, &memory, &size);
    for (int way = 0; way < 2; way++) {
        bool failed = true; // A load can do without some of what it asks for.
        for (long at = 0; failed; at++) {
            test_memory other = {.until_failure = at};
            const kifu_options loading = {.allocate = test_allocate, .allocate_context = &other};
            const kifu_load_options load_options = {.fast = way, .codec = &run_codec};
            kifu_timeline *timeline;
            kifu_error error;
            const kifu_result result =
                kifu_load_from_memory(&lab_rules, bytes, size, &loading, &load_options, &timeline, &error);
            failed = other.failed;
            if (result) {
                ck_assert_msg(result == KIFU_NO_MEMORY, "%s", error.message);
                ck_assert_ptr_nonnull(strstr(error.message, "out of memory"));
            } else {
                expect_same(lab, timeline);
                kifu_destroy(timeline);
            }
            ck_assert_int_eq(other.blocks, 0);
        }
    }
    kifu_free_bytes(lab, bytes);
    kifu_destroy(lab);
    ck_assert_int_eq(memory.blocks, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        S03_a_packed_save_is_the_same_game,
        a_packed_save_is_a_header_and_one_frame,
        S03_an_empty_timeline_is_packed_too,
        S03_a_game_loaded_from_packed_saves_goes_on_as_the_saved_one,
        S03_a_long_packed_game_is_undone_redone_forked_and_saved,
        the_last_segment_of_a_packed_save_goes_on,
        a_layout_that_cannot_be_packed_is_rebuilt,
        what_would_grow_without_limit_is_saved_plain,
        events_keep_the_rules_version_that_they_happened_under,
        M06_a_compact_save_needs_no_compressor,
        S03_a_log_file_is_plain_and_packed_when_it_is_closed,
        S05_of_a_packed_save_that_was_cut_off_nothing_is_recovered,
        a_packed_save_without_its_codec_is_refused_by_name,
        M06_a_compact_save_says_how_to_load_it,
        R08_what_was_packed_before_says_to_go_over_by_JSON,
        a_codec_without_packing_is_misuse_that_says_what_to_set,
        S07_listing_packed_saves_takes_no_codec,
        S06_an_unknown_event_type_in_a_packed_save_is_named,
        a_codec_that_fails_fails_the_save_and_the_load,
        what_is_too_large_for_a_codec_is_saved_plain,
        S05_a_small_file_does_not_ask_for_much_memory,
        a_loaded_game_keeps_no_file_that_it_does_not_need,
        what_would_break_the_bound_is_saved_plain,
        only_what_gets_smaller_is_packed,
        no_memory_while_a_layout_is_rebuilt_leaks_nothing,
        no_memory_at_any_allocation_leaks_nothing,
    };
    return run_suite("packed", tests, sizeof tests / sizeof *tests);
}
