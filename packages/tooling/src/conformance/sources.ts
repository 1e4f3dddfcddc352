import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The root of the workspace. */
export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
/** Folder with the tests of the rules, relative to the root. */
export const TESTS = 'packages/tooling/test/conformance'

/**
 * Returns, by rule id, the names of the files that test the rule. The function finds calls such as
 * `rule('S-LOB-07', …)` in the sources.
 */
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

/** Whether a reference such as `packages/…/x.test.ts › title` names an existing test. */
export function testExists(provedBy: string): boolean {
  const [file = '', title = ''] = provedBy.split(' › ')
  try {
    const text = readFileSync(`${ROOT}${file}`, 'utf8')
    // A test's title in the source may begin with a count, so it is enough that the title ends with the given title.
    return title !== '' && ["'", '`'].some((quote) => text.includes(`${title}${quote}`))
  } catch {
    return false
  }
}
