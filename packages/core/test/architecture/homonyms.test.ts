import ts from 'typescript'
import { expect, it } from 'vitest'
import { sourceFiles } from './source-files'

const NAMED: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
])

/** Returns the names that a file declares and exports. */
function declared(tree: ts.SourceFile): string[] {
  const names: string[] = []
  for (const statement of tree.statements) {
    const isExported = ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(isExport)
    if (isExported !== true) continue
    if (ts.isVariableStatement(statement)) {
      names.push(...statement.declarationList.declarations.map(({ name }) => name.getText(tree)))
    } else if (NAMED.has(statement.kind)) {
      names.push((statement as ts.DeclarationStatement).name?.getText(tree) ?? '')
    }
  }
  return [...new Set(names)]
}

const isExport = ({ kind }: ts.Modifier) => kind === ts.SyntaxKind.ExportKeyword

it('a name that core exports stands for one thing', () => {
  const files = new Map<string, string[]>()
  for (const { path, tree } of sourceFiles('core')) {
    for (const name of declared(tree)) files.set(name, [...(files.get(name) ?? []), path])
  }
  expect([...files].filter(([, paths]) => paths.length > 1)).toEqual([])
})
