import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFiles, visit } from './source-files'

/** Maximum lines of code in a class, without comments: a longer class has more than one responsibility. */
const MOST_LINES = 160

/** Folders whose classes are checked, by package. */
const HELD: Readonly<Record<string, string>> = { 'storage-sqlite': '', orchestrator: 'agones/' }

function longClasses({ path, tree }: SourceFile): string[] {
  const found: string[] = []
  visit(tree, (node) => {
    if (!ts.isClassLike(node)) return
    const code = node.getText(tree).replace(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)\s*?\n/gm, '')
    const lines = code.split('\n').length
    if (lines > MOST_LINES) found.push(`${path}: ${node.name?.text ?? 'a class'} has ${lines} lines`)
  })
  return found
}

describe('a class has one responsibility', () => {
  it.each(Object.entries(HELD))('%s/src/%s has none that is too long', (name, folder) => {
    const files = sourceFiles(name).filter(({ path }) => path.startsWith(folder))
    expect(files.length).toBeGreaterThan(40)
    expect(files.flatMap(longClasses)).toEqual([])
  })

  it('would see one that is', () => {
    const longIn = (lines: number, comments = '') => {
      const text = `class Store {${comments}${'\n'.repeat(lines - 1)}}`
      const tree = ts.createSourceFile('a.ts', text, ts.ScriptTarget.ES2022, true)
      return longClasses({ path: 'a.ts', tree, imports: [] })
    }
    expect(longIn(MOST_LINES)).toEqual([])
    expect(longIn(MOST_LINES + 1)).toEqual(['a.ts: Store has 161 lines'])
    expect(longIn(MOST_LINES - 1, '\n/** A comment\n * of two lines. */\n// Another one.\n')).toEqual([])
  })
})
