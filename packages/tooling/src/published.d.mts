/** What a `package.json` here says of a package that is published. */
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

/** Every package that a registry gets: neither private ones nor Unity's, which is installed from the repository. */
export declare const publishedPackages: () => Published[]

/** Packs them all into `folder`, which is there; answers the archive of each by the package's name. */
export declare const packAll: (folder: string) => Map<string, string>
