import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { ROOT } from './documents'
import { PAGES, proseOf, textOf, withoutBlocks } from './pages'

/** Milliseconds: the dictionaries are large, and the machine may be busy with other tests. */
const PATIENCE_MS = 240_000

const run = promisify(execFile)

it('every page is spelled by the dictionaries and docs/words.txt', { timeout: PATIENCE_MS }, async () => {
  const command = join(ROOT, 'docs', 'node_modules', 'cspell', 'bin.mjs')
  // Reads again only the pages that changed, and all of them when a dictionary changed.
  const kept = ['--cache', '--cache-strategy', 'content', '--cache-location', 'node_modules/.cache/cspell']
  const args = [command, '--no-progress', '--no-summary', '--config', 'docs/cspell.json', ...kept, ...PAGES]
  const looked = run(process.execPath, args, { cwd: ROOT, timeout: PATIENCE_MS })
  // The program prints its findings and exits with 1 when it has any.
  const found = await looked.then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => `${stdout}${stderr}`,
  )
  expect(found).toBe('')
})

it('no page has the marks of an unfinished merge', () => {
  const marked = PAGES.filter((page) => /^(?:<{7}|={7}|>{7})(?: |$)/m.test(withoutBlocks(textOf(page))))
  expect(marked).toEqual([])
})

it('no word stands twice in a row', () => {
  const twice = PAGES.flatMap((page) =>
    [...proseOf(textOf(page)).matchAll(/(?<![\w-])([A-Za-z]{2,}) +\1(?![\w-])/gi)]
      // Correct English, for example "that that is so" and "it is looked at at once".
      .filter(([, word = '']) => !/^(that|had|at)$/i.test(word))
      .map(([found]) => `${page}: ${found}`),
  )
  expect(twice).toEqual([])
})

it('nothing is praised', () => {
  const praise =
    /\b(?:blazing(?:ly)?|seamless(?:ly)?|effortless(?:ly)?|world-class|cutting-edge|game-?chang(?:er|ing)|simply|powerful|robust)\b/gi
  const praised = PAGES.flatMap((page) =>
    [...proseOf(textOf(page)).matchAll(praise)].map(([word]) => `${page}: ${word}`),
  )
  expect(praised).toEqual([])
})

it('no page has the marks of a merge that was not resolved', () => {
  const marked = PAGES.filter((page) => /^(?:<{7}|>{7}) /m.test(textOf(page)))
  expect(marked).toEqual([])
})
