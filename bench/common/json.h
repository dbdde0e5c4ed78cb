/* Parts of JSON. */
#pragma once

#include <stdio.h>

/* Prints "name": "text". */
static inline void print_string(const char* name, const char* text) {
    printf("\"%s\": \"", name);
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\') putchar('\\');
        putchar((unsigned char)*text < ' ' ? ' ' : *text);
    }
    putchar('"');
}
