import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, demand } from './npm.ts'
import { Registry } from './registry.ts'

/**
 * Publishes the archives with `npm publish`, in the given order, to a test registry in this process, which the caller
 * stops. Provenance is left out, because only the release workflow can prove where an archive was built.
 */
export async function rehearse(
  archives: ReadonlyMap<string, string>,
  order: readonly string[],
  scratch: string,
  env: NodeJS.ProcessEnv,
): Promise<Registry> {
  const registry = await new Registry(new Set(archives.keys())).start()
  const folder = join(scratch, 'publishing')
  mkdirSync(folder)
  const { host, pathname } = new URL(registry.url)
  // This configuration prevents a test from publishing to another registry, for which the machine or the package scope
  // may be configured.
  const lines = [`@matchyard:registry=${registry.url}`, `//${host}${pathname}:_authToken=rehearsal`]
  writeFileSync(join(folder, '.npmrc'), `${lines.join('\n')}\n`)
  try {
    for (const name of order) {
      const archive = archives.get(name) ?? ''
      const publish = ['publish', archive, '--provenance=false', '--registry', registry.url]
      demand(await call(folder, 'npm', publish, env), `npm publish ${name}`)
    }
    return registry
  } catch (error) {
    registry.stop()
    throw error
  }
}
