import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

/** What a game sees of the service's own types. */
const SEEN = [
  ...['JoinToken', 'Lobby', 'LobbyExit', 'Match', 'Page', 'Player'],
  ...['PortMapping', 'Proposal', 'QueueExplanation', 'ServerSummary'],
]

it('says what it means under the cursor: every member of what a game is answered', () => {
  const path = fileURLToPath(new URL('../src/api/types.ts', import.meta.url))
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true)
  const silent: string[] = []
  const look = (node: ts.Node, at: string) => {
    const name = ts.isPropertySignature(node) ? `${at}.${node.name.getText()}` : at
    if (ts.isPropertySignature(node) && ts.getJSDocCommentsAndTags(node).length === 0) silent.push(name)
    ts.forEachChild(node, (child) => look(child, name))
  }
  for (const statement of file.statements) {
    if (ts.isInterfaceDeclaration(statement) && SEEN.includes(statement.name.text)) look(statement, statement.name.text)
  }
  expect(silent).toEqual([])
})
