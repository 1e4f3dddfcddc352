/** Returns the first code block of a language in a document. Throws when there is none. */
export function blockOf(document: string, language: string): string {
  const code = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(document)?.[1]
  if (code === undefined) throw new Error(`the document has no block of ${language}`)
  return code
}
