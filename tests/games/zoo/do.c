// Scripts: each step is four bytes. What, which element, and a number of two bytes.

#include "zoo.h"

// The first entity of a pool from slot `from` on, or the first of all.
static kifu_handle card_at(const zoo_state *state, uint32_t from)
{
    const kifu_handle handle = from ? zoo_next_cards(state, (from - 1) | 1 << 16) : KIFU_NO_HANDLE;
    return handle ? handle : zoo_next_cards(state, KIFU_NO_HANDLE);
}

static kifu_handle beast_at(const zoo_state *state, uint32_t from)
{
    const kifu_handle handle = from ? zoo_next_beasts(state, (from - 1) | 1 << 16) : KIFU_NO_HANDLE;
    return handle ? handle : zoo_next_beasts(state, KIFU_NO_HANDLE);
}

static void do_to_cards(kifu_timeline *timeline, const zoo_state *state, uint8_t what, uint8_t where, uint16_t number)
{
    kifu_handle card = what == 'C' ? zoo_spawn_cards(timeline) : card_at(state, where % 16);
    if (!card)
        return;
    if (what == 'c')
        zoo_despawn_cards(timeline, card);
    else if (what == 't')
        *zoo_edit_cards_tapped(timeline, card) = number & 1;
    else
        *zoo_edit_cards_owner(timeline, card) = (uint8_t)number;
}

static void do_to_beasts(kifu_timeline *timeline, const zoo_state *state, uint8_t what, uint8_t where, uint16_t number)
{
    kifu_handle beast = what == 'B' ? zoo_spawn_beasts(timeline) : beast_at(state, where % 150);
    if (!beast)
        return;
    if (what == 'b')
        zoo_despawn_beasts(timeline, beast);
    else if (what == 'm')
        zoo_edit_beasts_marks_all(timeline, beast)[number % 5] = (uint8_t)number;
    else if (what == 'a')
        *zoo_edit_beasts_age(timeline, beast) += number;
    else
        *zoo_edit_beasts_hp(timeline, beast) = (int16_t)number;
}

static void do_to_arrays(kifu_timeline *timeline, uint8_t what, uint8_t where, uint16_t number)
{
    if (what == 'h')
        *zoo_edit_heaps(timeline, where % 5) = number;
    else if (what == 'l')
        *zoo_edit_letters(timeline, where % 3) = (uint8_t)number;
    else if (what == 'x')
        *zoo_edit_spots_x(timeline, where) = (uint8_t)number;
    else if (what == 's')
        *zoo_edit_spots_z(timeline, where) = (uint8_t)number;
    else if (what == 'S') {
        zoo_spot *spots = zoo_edit_spots_all(timeline);
        for (uint32_t i = 0; i < 257; i++)
            spots[i].x = (uint8_t)(i % 3 ? number : i);
    } else if (what == 'g')
        *zoo_edit_cages_spots_y(timeline, where % 4, number % 3) = (uint8_t)number;
    else
        *zoo_edit_done(timeline) += number;
}

static kifu_result run(kifu_timeline *timeline, const zoo_state *state, const uint8_t *script, uint32_t size)
{
    for (uint32_t i = 0; i + 4 <= size; i += 4) {
        const uint8_t what = script[i], where = script[i + 1];
        const uint16_t number = (uint16_t)(script[i + 2] | script[i + 3] << 8);
        if (what == 'f')
            return kifu_fail(timeline, "it was to fail");
        if (what == '>') { // The rest is a consequence.
            zoo_submit_e_do(timeline, script + i + 4, size - i - 4);
            return KIFU_OK;
        }
        if (what == 'C' || what == 'c' || what == 't' || what == 'o')
            do_to_cards(timeline, state, what, where, number);
        else if (what == 'B' || what == 'b' || what == 'm' || what == 'a' || what == 'p')
            do_to_beasts(timeline, state, what, where, number);
        else
            do_to_arrays(timeline, what, where, number);
    }
    return KIFU_OK;
}

kifu_verdict zoo_check_p_do(kifu_timeline *timeline, const zoo_state *state, zoo_p_do *event)
{
    (void)timeline, (void)state, (void)event;
    return kifu_accept();
}

kifu_result zoo_do_p_do(kifu_timeline *timeline, const zoo_state *state, const zoo_p_do *event)
{
    return run(timeline, state, zoo_p_do_script(event), zoo_p_do_script_count(event));
}

kifu_result zoo_do_e_do(kifu_timeline *timeline, const zoo_state *state, const zoo_e_do *event)
{
    return run(timeline, state, zoo_e_do_script(event), zoo_e_do_script_count(event));
}

kifu_result zoo_do_e_spawn(kifu_timeline *timeline, const zoo_state *state, const zoo_e_spawn *event)
{
    (void)state, (void)event;
    zoo_spawn_beasts(timeline);
    return KIFU_OK;
}
