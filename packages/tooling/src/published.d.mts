/** The fields of a published package's `package.json`. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly homepage?: string
  readonly bugs?: string
  readonly repository?: { readonly url: string; readonly directory: string }
  readonly engines?: { readonly node: string }
  readonly files?: readonly string[]
  readonly scripts?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, unknown>>
  readonly publishConfig?: {
    readonly access?: string
    readonly provenance?: boolean
    readonly exports?: Readonly<Record<string, Readonly<Record<string, { readonly types?: string } | undefined>>>>
  }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface Published {
  readonly folder: string
  readonly manifest: Manifest
}

/**
 * Returns the packages that are published to a registry. Private packages and the Unity package, which is installed
 * from the repository, are not published.
 */
export declare const publishedPackages: () => Published[]

/** Packs all published packages into an existing folder. Returns the path of each archive by the package's name. */
export declare const packAll: (folder: string) => Map<string, string>
