import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The root of the workspace. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
/** Where the tests of the rules are, from the root. */
export const TESTS = 'packages/tooling/test/conformance'

/** Which files hold a test of each rule id, as the sources say it: `rule('S-LOB-07', …)`. */
export function provingFiles(): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>()
  for (const name of readdirSync(`${ROOT}${TESTS}`).filter((file) => file.endsWith('.test.ts'))) {
    const text = readFileSync(`${ROOT}${TESTS}/${name}`, 'utf8')
    for (const [, id = ''] of text.matchAll(/^rule\('([^']+)'/gm)) {
      files.set(id, [...(files.get(id) ?? []), name])
    }
  }
  return files
}

/** Whether `packages/…/x.test.ts › title` names a test that is there. */
export function testExists(provedBy: string): boolean {
  const [file = '', title = ''] = provedBy.split(' › ')
  try {
    const text = readFileSync(`${ROOT}${file}`, 'utf8')
    // A title may begin with a count of its own.
    return title !== '' && ["'", '`'].some((quote) => text.includes(`${title}${quote}`))
  } catch {
    return false
  }
}
