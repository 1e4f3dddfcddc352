/** Anything that JSON can say. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** Free-form JSON of yours: it is carried through untouched. */
export type JsonObject = { readonly [key: string]: JsonValue }
