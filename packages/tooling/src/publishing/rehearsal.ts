import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, demand } from './npm.ts'
import { Registry } from './registry.ts'

/**
 * Publishes the archives, by `npm publish` and in the order given, to a registry of this process; the caller stops it. Only a release by the
 * workflow can say where it was built, so that alone is left out.
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
  // Nothing of a rehearsal goes to another registry of the machine or the scope.
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
