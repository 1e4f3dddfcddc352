/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }

/** Free-form JSON data of your game. The object is never changed in place. */
export type JsonObject = { readonly [key: string]: JsonValue }
