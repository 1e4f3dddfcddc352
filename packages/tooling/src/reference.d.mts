/** Writes the renderer of `GET /reference` into the folder `dist` of a package that depends on the renderer. */
export declare function packReference(folder: string): Promise<void>
