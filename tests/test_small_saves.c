// What a plain save of a short game takes, part by part (runtime/docs/decisions/2026-11-24-whole-saves.md).

#include "frame_help.h"
#include "nim.h"
#include "suite.h"

enum { SETUP = 6, MOVES_SHORT = 10, MOVES_LONG = 100 };

static kifu_timeline *nim_of(uint32_t moves)
{
    const uint16_t stones[] = {200, 300, 500, 700};
    kifu_e_initialize_args initialize = kifu_e_initialize_defaults();
    kifu_timeline *nim;
    ck_assert_int_eq(kifu_create(&nim_rules, NULL, &nim, NULL), KIFU_OK);
    initialize.has_seed = true;
    initialize.seed = 7;
    nim_submit_e_reset_game(nim);
    nim_submit_e_add_player(nim, 0, 0xff0000);
    nim_submit_e_add_player(nim, 1, 0x0000ff);
    nim_submit_e_initialize(nim, &initialize);
    nim_submit_e_deal(nim, stones, 4);
    nim_submit_e_start_round(nim);
    ck_assert_int_eq(kifu_run(nim), KIFU_OK);
    ck_assert_uint_eq(kifu_event_count(nim), SETUP);
    for (uint32_t i = 0; i < moves; i++) {
        nim_submit_p_take(nim, kifu_current_player(kifu_get_game(nim)), (uint8_t)(i % 4), 1, 0);
        ck_assert_int_eq(kifu_run(nim), KIFU_OK);
    }
    return nim;
}

// Bytes of the whole save, and of its payloads by kind.
static size_t size_of_save(uint32_t moves, bool with_schema, uint32_t sizes[FRAME_COMMIT + 1])
{
    kifu_timeline *nim = nim_of(moves), *loaded;
    const kifu_save_options options = {.without_schema = !with_schema};
    unsigned char *bytes;
    size_t size;
    ck_assert_int_eq(kifu_save_to_memory(nim, &options, &bytes, &size), KIFU_OK);
    for (uint64_t offset = FILE_HEAD; offset < size;) {
        const save_frame frame = read_frame(bytes, size, &offset);
        ck_assert_uint_le(frame.kind, FRAME_COMMIT);
        sizes[frame.kind] += frame.size;
    }
    ck_assert_int_eq(kifu_load_from_memory(&nim_rules, bytes, size, NULL, NULL, &loaded, NULL), KIFU_OK);
    ck_assert_uint_eq(kifu_state_hash(loaded), kifu_state_hash(nim));
    kifu_destroy(loaded);
    kifu_free_bytes(nim, bytes);
    kifu_destroy(nim);
    return size;
}

START_TEST(M05_a_save_of_ten_moves_of_nim)
{
    enum { HEADER = 94, STATE = 176, HASHES = 47, VTABLES = 48, HEADS = 48, COUNT = SETUP + MOVES_SHORT };
    uint32_t sizes[FRAME_COMMIT + 1] = {0};
    ck_assert_uint_eq(size_of_save(MOVES_SHORT, false, sizes), 840);
    ck_assert_uint_eq(sizes[FRAME_HEADER], HEADER);
    ck_assert_uint_eq(sizes[FRAME_SEGMENT], HEADS + VTABLES + 9 * COUNT + 192);
    ck_assert_uint_eq(sizes[FRAME_COMMIT], 4 + 4 + HASHES + 3 + 8 + STATE + 2);
}
END_TEST

START_TEST(M05_a_save_of_a_hundred_moves_of_nim)
{
    uint32_t sizes[FRAME_COMMIT + 1] = {0}, others[FRAME_COMMIT + 1] = {0};
    ck_assert_uint_eq(size_of_save(MOVES_LONG, false, sizes), 3024);
    ck_assert_uint_le(size_of_save(MOVES_LONG, true, others), 3024 + 3056 + 32);
    ck_assert_uint_eq(sizes[FRAME_SEGMENT], others[FRAME_SEGMENT]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {M05_a_save_of_ten_moves_of_nim, M05_a_save_of_a_hundred_moves_of_nim};
    return run_suite("small_saves", tests, sizeof tests / sizeof *tests);
}
