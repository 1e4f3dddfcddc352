import type { Server } from '@matchyard/client/admin'

/** Fields of a server that name its build. */
export type Built = Pick<Server, 'version_tag' | 'build_id' | 'build_version'>

/** Returns the build name of a server, with the version when it is known: `arena v3`. */
export const buildOf = ({ version_tag, build_version }: Built): string =>
  build_version === null ? version_tag : `${version_tag} v${build_version}`
