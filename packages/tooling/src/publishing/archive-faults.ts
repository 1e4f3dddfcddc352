import { basename, posix } from 'node:path'
import type { Manifest } from '../published.mjs'

/** Content of a package's archive: files by their paths below `package/`. */
export interface Archive {
  readonly files: ReadonlyMap<string, Buffer>
  /** Size of the archive itself, in bytes. */
  readonly bytes: number
}

/**
 * Largest size of an archive in bytes: twice the size of the largest archive. An archive with a profile or a folder of
 * pictures by mistake would exceed it.
 */
const MOST_BYTES = 4 * 1024 * 1024
const ALWAYS = ['package.json', 'README.md', 'LICENSE']
const COMPILED = /^dist\/(?!.*[./](?:test|spec|bench)\.)[\w-]+\.(?:js|cjs|d\.ts|d\.cts|js\.map|cjs\.map)$/
/** By package: patterns of the additional files that its archive may contain, each with its reason. */
const BESIDES: Readonly<Record<string, readonly RegExp[]>> = {
  // The page of the console and the pages of the documents, which browsers load.
  '@matchyard/console': [
    /^dist\/page\/index\.html$/,
    /^dist\/page\/assets\/[\w-]+\.(?:js|css|svg|json|woff2)$/,
    /^dist\/page\/assets\/inter-license\.txt$/,
    /^dist\/page\/docs\/(?:[\w-]+\/)*[\w-]+\.(?:html|png|gif)$/,
  ],
  // The programs of separate processes that outlive the service. For this reason they are never bundled.
  '@matchyard/orchestrator': [/^supervisor\/(?:front\/)?[\w-]+\.mjs$/],
  // The command, the demo's game server, and the renderer of the API reference.
  '@matchyard/server': [
    /^bin\/matchyard\.mjs$/,
    /^dist\/demo-game-server\.zip$/,
    /^dist\/reference\/standalone\.js\.gz$/,
  ],
  // The files of a command that needs no build; and the template, with tests, of the game that the command creates.
  'create-matchyard': [
    /^(?:bin|src)\/[\w-]+\.mjs$/,
    /^template\/(?:_gitignore|README\.md|package\.json|tsconfig\.json)$/,
    /^template\/(?:backend|game|page|server|test)\/[\w.-]+\.(?:ts|html|css)$/,
  ],
}
/** An alias: a version range that names another package. */
const ALIAS = /^npm:(?:@[\w-]+\/)?[\w.-]+@\d/
const AT_INSTALLATION = ['preinstall', 'install', 'postinstall', 'prepare']

/**
 * Yields the faults of an archive that a registry would receive. `root` is the folder in which the archive was built.
 */
export function* archiveFaults({ files, bytes }: Archive, name: string, root: string): Generator<string> {
  for (const wanted of ALWAYS) if (!files.has(wanted)) yield `its archive holds no ${wanted}`
  if (bytes > MOST_BYTES) yield `its archive has ${bytes} bytes, more than ${MOST_BYTES}`
  const allowed = [COMPILED, ...(BESIDES[name] ?? [])]
  for (const [file, content] of files) {
    if (!ALWAYS.includes(file) && !allowed.some((pattern) => pattern.test(file))) yield `its archive holds ${file}`
    if (content.includes(root)) yield `${file} names a place on the machine that made it`
    if (file.endsWith('.map')) yield* mapFaults(file, content, files)
  }
}

/**
 * Yields the faults of a source map: the text of each source must be inside the map, or the source file must be next to
 * the map in the package.
 */
function* mapFaults(file: string, content: Buffer, files: Archive['files']): Generator<string> {
  const mapped = file.slice(0, -'.map'.length)
  if (!files.get(mapped)?.includes(`//# sourceMappingURL=${basename(file)}`)) yield `${file} is the map of nothing`
  const { sources, sourcesContent = [] } = JSON.parse(content.toString()) as {
    readonly sources: readonly string[]
    readonly sourcesContent?: readonly (string | null)[]
  }
  for (const [at, source] of sources.entries()) {
    const isThere = typeof sourcesContent[at] === 'string' || files.has(posix.join(posix.dirname(file), source))
    if (!isThere) yield `${file} is a map of ${source}, which is not there`
  }
}

/**
 * Yields the faults of a packed manifest. `versions` contains the version of each package that is published at the same
 * time.
 */
export function* packedManifestFaults(manifest: Manifest, versions: ReadonlyMap<string, string>): Generator<string> {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {}, scripts = {} } = manifest
  for (const [kind, list] of Object.entries({ dependencies, optionalDependencies, peerDependencies })) {
    for (const [need, range] of Object.entries(list)) {
      const version = versions.get(need)
      // Below version 1.0, a caret allows no other minor version. So peer dependencies must be of the same release.
      const wanted = version === undefined ? range : kind === 'peerDependencies' ? `^${version}` : version
      if (range !== wanted) yield `${kind} has ${need} as ${range}, not ${wanted}`
      // Registries do not understand the version ranges of a workspace. An alias of a package is allowed.
      else if (range.includes(':') && !ALIAS.test(range)) yield `${kind} has ${need} as ${range}`
    }
  }
  for (const script of AT_INSTALLATION) if (script in scripts) yield `it would run ${script} where it is installed`
}
