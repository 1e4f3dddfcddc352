import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const parsed = (name: string) => {
  const path = fileURLToPath(new URL(name, import.meta.url))
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true)
}

/** Returns the service's types that an entry of the package exports. */
function handedOn(entry: string): string[] {
  const names: string[] = []
  for (const statement of parsed(entry).statements) {
    if (!ts.isExportDeclaration(statement) || !statement.moduleSpecifier?.getText().includes('api/types')) continue
    const { exportClause } = statement
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) continue
    for (const { name, propertyName } of exportClause.elements) names.push((propertyName ?? name).getText())
  }
  return names
}

/** Types that a game and a backend see; unnamed ones are seen through others. */
const SEEN = new Set([...handedOn('../src/index.ts'), ...handedOn('../src/admin/types.ts'), 'AssignedPort', 'Page'])

it('says what it means under the cursor: every type and every member that a game or a backend is answered, or sends', () => {
  expect(SEEN.size).toBeGreaterThan(40)
  const file = parsed('../src/api/types.ts')
  const silent: string[] = []
  const look = (node: ts.Node, at: string) => {
    const name = ts.isPropertySignature(node) ? `${at}.${node.name.getText()}` : at
    if (ts.isPropertySignature(node) && ts.getJSDocCommentsAndTags(node).length === 0) silent.push(name)
    ts.forEachChild(node, (child) => look(child, name))
  }
  for (const statement of file.statements) {
    if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) continue
    const { text } = statement.name
    if (!SEEN.has(text)) continue
    if (ts.getJSDocCommentsAndTags(statement).length === 0) silent.push(text)
    look(statement, text)
  }
  expect(silent).toEqual([])
})
