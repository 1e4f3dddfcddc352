/** Writes the renderer of `GET /reference` into the `dist` of a package that depends on it. */
export declare function packReference(folder: string): Promise<void>
