import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { type SourceFile, sourceFiles, visit } from './source-files'

/** Files that check input, by package: their bounds must stand in `catalog/limits.ts`. */
const JUDGES: Readonly<Record<string, RegExp>> = {
  http: /^(wire\/(?!codec\/)|middleware\/validate\.ts$)/,
  core: /^(queue\/faults|server\/ports|account\/credentials|catalog\/free-form|use-cases\/servers\/create-server)\.ts$/,
}

/** Numbers for counting, halves, kilobytes and micro-dollars; they are no bounds. */
const NO_BOUNDS = new Set(['0', '1', '2', '1024', '1000000'])

function bounds({ path, tree }: SourceFile): string[] {
  const found: string[] = []
  visit(tree, (node) => {
    if (ts.isNumericLiteral(node) && !NO_BOUNDS.has(node.text)) found.push(`${path}: ${node.getText(tree)}`)
  })
  return found
}

const judges = (name: string) => sourceFiles(name).filter(({ path }) => JUDGES[name]?.test(path))

describe('every bound of what may be sent stands once', () => {
  it.each(Object.keys(JUDGES))('%s repeats none of them', (name) => {
    const files = judges(name)
    expect(files.length).toBeGreaterThan(4)
    expect(files.flatMap(bounds)).toEqual([])
  })

  it('would see one that is repeated', () => {
    const tree = ts.createSourceFile('a.ts', 'if (name.length > 128) refuse()', ts.ScriptTarget.ES2022, true)
    expect(bounds({ path: 'a.ts', tree, imports: [] })).toEqual(['a.ts: 128'])
  })
})
