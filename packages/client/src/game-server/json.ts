/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** Free-form JSON of your game; it is never changed. */
export type JsonObject = { readonly [key: string]: JsonValue }
