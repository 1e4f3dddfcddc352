import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFiles, visit } from './source-files'

/** Largest number of lines of a class: a longer class has more than one responsibility. */
const MOST_LINES = 160

/** Folders whose classes are checked, by package. */
const HELD: Readonly<Record<string, string>> = { 'storage-sqlite': '', orchestrator: 'agones/' }

function longClasses({ path, tree }: SourceFile): string[] {
  const found: string[] = []
  const lineAt = (position: number) => tree.getLineAndCharacterOfPosition(position).line
  visit(tree, (node) => {
    if (!ts.isClassLike(node)) return
    const lines = lineAt(node.end) - lineAt(node.getStart(tree)) + 1
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
    const text = (lines: number) => `class Store {${'\n'.repeat(lines - 1)}}`
    const longIn = (lines: number) => {
      const tree = ts.createSourceFile('a.ts', text(lines), ts.ScriptTarget.ES2022, true)
      return longClasses({ path: 'a.ts', tree, imports: [] })
    }
    expect(longIn(MOST_LINES)).toEqual([])
    expect(longIn(MOST_LINES + 1)).toEqual(['a.ts: Store has 161 lines'])
  })
})
