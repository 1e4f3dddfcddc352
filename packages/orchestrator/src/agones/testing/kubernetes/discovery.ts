import { RESOURCES } from './objects'
import { ApiStatus } from './status'

/**
 * Returns the answer to a discovery request: the server's version, the versions of a group, or the resources of a
 * version.
 */
export function discovered(path: string): object {
  if (path === '/version') return { major: '1', minor: '34', gitVersion: 'v1.34.0' }
  const [, group, version] = /^\/apis\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? []
  const found = RESOURCES.filter((one) => one.group === group && (version === undefined || one.version === version))
  if (group === undefined || found.length === 0) {
    throw new ApiStatus('NotFound', 'the server could not find the requested resource')
  }
  if (version === undefined) {
    const versions = [...new Set(found.map((one) => one.version))].map((one) => ({
      groupVersion: `${group}/${one}`,
      version: one,
    }))
    return { kind: 'APIGroup', apiVersion: 'v1', name: group, versions, preferredVersion: versions[0] }
  }
  const resources = found.map(({ plural, kind }) => ({ name: plural, kind, namespaced: true, verbs: ['create'] }))
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/${version}`, resources }
}
