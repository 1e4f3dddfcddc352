/** Every file and folder of the Unity package that must have a .meta, and every .meta that there is, by path from the package. */
export declare function unityAssets(): { readonly assets: string[]; readonly metas: string[] }
/** The GUID in a .meta file; undefined where there is none. */
export declare function guidOf(meta: string): string | undefined
/** Each .meta that is missing, as its path from the root and its text. */
export declare function missingMetas(): readonly (readonly [path: string, text: string])[]
