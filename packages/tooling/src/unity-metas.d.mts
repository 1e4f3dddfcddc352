/**
 * Returns the files and folders of the Unity package that must have a .meta file, and the existing .meta files, as
 * paths relative to the package.
 */
export declare function unityAssets(): { readonly assets: string[]; readonly metas: string[] }
/** Returns the GUID in a .meta file; undefined when the file contains no GUID. */
export declare function guidOf(meta: string): string | undefined
/** Returns the path from the root and the text of each .meta file that is missing. */
export declare function missingMetas(): readonly (readonly [path: string, text: string])[]
