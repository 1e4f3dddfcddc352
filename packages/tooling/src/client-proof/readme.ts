/** Returns the first code block in a language from a document. Throws when the document has no such block. */
export function blockOf(document: string, language: string): string {
  const code = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(document)?.[1]
  if (code === undefined) throw new Error(`the document has no block of ${language}`)
  return code
}
