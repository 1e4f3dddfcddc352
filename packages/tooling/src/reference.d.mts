/** Puts what draws `GET /reference` into the `dist` of a package that depends on the renderer. */
export declare function packReference(folder: string): Promise<void>
