/* Tasuki's control interface, looked up at run time: the same program runs without Tasuki. */
#pragma once

#include "check.h"

/* A candidate as the driver names it: CHOICE or CHOICE@CONDITION[,CONDITION], where the conditions
 * are the domain of its row. */
struct candidate {
    char choice[128];
    int power_of_two; /* its domain is powers of two */
    int several_nodes;
    int known_routes;
};

static inline struct candidate parse_candidate(const char* argument) {
    struct candidate candidate = {{0}, 0, 0, 0};
    const char* at = strchr(argument, '@');
    size_t length = at ? (size_t)(at - argument) : strlen(argument);
    if (length >= sizeof candidate.choice) length = sizeof candidate.choice - 1;
    memcpy(candidate.choice, argument, length);
    candidate.power_of_two = at && strstr(at, "power-of-two-ranks");
    candidate.several_nodes = at && strstr(at, "several-nodes");
    candidate.known_routes = at && strstr(at, "known-routes");
    return candidate;
}

/* It fails where the driver expects Tasuki and it is not there. */
static inline int has_tasuki(void) {
    int found = dlsym(RTLD_DEFAULT, "tasuki_choose") != NULL;
    if (getenv("EXPECT_TASUKI")) check(found, "there is no Tasuki");
    return found;
}

/* Runs a collective by `choice` from now on. */
static inline void choose_for(const char* collective, const char* choice) {
    if (!has_tasuki()) return;
    int (*function)(const char*, const char*);
    *(void**)&function = dlsym(RTLD_DEFAULT, "tasuki_choose");
    const char* (*error)(void);
    *(void**)&error = dlsym(RTLD_DEFAULT, "tasuki_error");
    int code = function(collective, choice);
    check(code == 0, "tasuki_choose(\"%s\", \"%s\") gave %d: %s", collective, choice, code,
          error ? error() : "and no tasuki_error()");
}

static inline void choose(const struct candidate* candidate) {
    choose_for("alltoall", candidate->choice);
}

/* What ran last in this thread; "native" without Tasuki, "" if nothing was its business yet. */
static inline const char* last_algorithm_of(const char* collective) {
    const char* (*function)(const char*);
    *(void**)&function = dlsym(RTLD_DEFAULT, "tasuki_last_algorithm");
    return function ? function(collective) : "native";
}

static inline const char* last_algorithm(void) {
    return last_algorithm_of("alltoall");
}

/* Whether what Tasuki says that it ran adds exactly on `ranks` ranks, in the mode for that: on two
 * ranks rows of its table do. */
static inline int ran_exactly(const char* last, int ranks) {
    if (ranks == 2) return *last && strncmp(last, "native", 6) != 0;
    return strncmp(last, "exact-", 6) == 0;
}

static inline void check_ran_exactly(const char* collective, int ranks) {
    if (!has_tasuki()) return;
    const char* last = last_algorithm_of(collective);
    check(ran_exactly(last, ranks), "%s ran by \"%s\"", collective, last);
}

/* Whether `text` is `name`, alone or followed by parameters or a reason. */
static inline int begins_with_name(const char* text, const char* name) {
    size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && (text[length] == 0 || text[length] == ':');
}

/* The host's own ran, with a reason that holds `reason`. */
static inline void check_passed_to_host(const char* reason) {
    const char* last = last_algorithm();
    if (!has_tasuki()) return;
    check(begins_with_name(last, "native") && strstr(last, reason) != NULL,
          "ran \"%s\", expected \"native\" because of \"%s\"", last, reason);
}

/* The candidate itself ran on a communicator of `ranks` ranks on `nodes` nodes, or, outside of its
 * domain, the host's own with a reason. `nodes` 0: not known here. */
static inline void check_ran(const struct candidate* candidate, int ranks, int nodes) {
    const char* last = last_algorithm();
    char name[128];
    if (!has_tasuki()) return;
    /* Switched off from the start, Tasuki does not even look at calls. */
    if (*last == 0 && strcmp(candidate->choice, "native") == 0) return;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(candidate->choice, ":"), candidate->choice);
    int in_domain = (!candidate->power_of_two || (ranks & (ranks - 1)) == 0) &&
                    (!candidate->several_nodes || nodes > 1) &&
                    (!candidate->known_routes || getenv("TASUKI_FABRIC"));
    int unknown = candidate->several_nodes && nodes == 0;
    int fell_back = begins_with_name(last, "native") && strlen(last) > strlen("native: ");
    if (unknown) {
        check(begins_with_name(last, name) || fell_back, "ran \"%s\" for %s", last, name);
    } else if (in_domain) {
        int exact = strchr(candidate->choice, ':') != NULL;
        check(begins_with_name(last, name) && (!exact || strcmp(last, candidate->choice) == 0),
              "ran \"%s\" for %s", last, candidate->choice);
    } else {
        check(fell_back, "ran \"%s\" outside the domain of %s, expected \"native: REASON\"", last,
              candidate->choice);
    }
}
