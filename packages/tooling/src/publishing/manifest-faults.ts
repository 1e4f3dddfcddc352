import type { Published } from '../published.mjs'

const REPOSITORY = 'https://github.com/matchyard/matchyard'
/**
 * Packages that do not have `@matchyard/core` as a peer dependency: the core and the engine themselves, the server,
 * which depends on them directly, and packages that only use the API.
 */
const WITHOUT_A_PEER = [
  '@matchyard/core',
  '@matchyard/matchmaking',
  '@matchyard/server',
  '@matchyard/client',
  '@matchyard/console',
  'create-matchyard',
]

/** Properties of the whole workspace. */
export interface Workspace {
  /** Folder of the workspace, without a slash at its end. */
  readonly root: string
  /** The supported versions of Node.js, as in `engines`. */
  readonly node: string
  /** The version of all packages, which are released together. */
  readonly version: string
}

/** Yields the faults of a package's manifest that no other tool checks. */
export function* manifestFaults({ folder, manifest }: Published, workspace: Workspace): Generator<string> {
  const { repository, license, engines, files, publishConfig, dependencies = {}, peerDependencies = {} } = manifest
  if (license !== 'MIT') yield 'its licence is not said'
  const directory = folder.slice(workspace.root.length + 1)
  if (repository?.url !== REPOSITORY || repository.directory !== directory) yield 'its repository is not said'
  if (manifest.homepage !== `${REPOSITORY}/tree/main/${directory}#readme`) yield 'its homepage is not said'
  if (manifest.bugs !== `${REPOSITORY}/issues`) yield 'where its faults are told is not said'
  if (engines?.node !== workspace.node) yield `it runs on Node ${engines?.node}, the workspace on ${workspace.node}`
  if (manifest.version !== workspace.version) yield `its version is ${manifest.version}, not ${workspace.version}`
  if (files === undefined) yield 'it does not say which files it has'
  if (publishConfig?.access !== 'public') yield 'publishConfig.access is not public: a scoped package would be private'
  if (publishConfig?.provenance !== true) yield 'publishConfig.provenance is not true: nobody could tell who built it'
  const isAdapter = !WITHOUT_A_PEER.includes(manifest.name)
  if (isAdapter && ('@matchyard/core' in dependencies || !('@matchyard/core' in peerDependencies))) {
    yield 'core is not its peer: an application could have two'
  }
  for (const [entry, conditions] of Object.entries(publishConfig?.exports ?? {})) {
    for (const kind of ['import', 'require']) {
      if (conditions[kind]?.types === undefined) yield `${entry} has no types for ${kind}`
    }
    if (!(entry in (manifest.exports ?? {}))) yield `${entry} is published and is not an entry of the workspace`
  }
}
