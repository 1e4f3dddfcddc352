/** Path of the file with the Unity package's error codes, relative to the root. */
export const ERROR_CODES_FILE = 'packages/engines/unity/Runtime/ErrorCodes.cs'

const HEAD = `// Written by \`npm run generate\` from packages/core/src/errors/codes; not to be edited by hand.
namespace Matchyard
{
    /// <summary>The codes of refusals. Codes are only added, so one that is not here is newer than this package.</summary>
    public static class ErrorCodes
    {
`

/** Error codes that only the Unity package uses, not the service. */
const OWN = {
  UNREACHABLE: {
    title: "This package's own: the service gave no answer, or none that it would give, for as long as it was tried.",
  },
}

/** Returns the text of `ErrorCodes.cs`: a constant for each code, in the order of the catalogue. */
export const errorCodesFile = (catalogue: Readonly<Record<string, { readonly title: string }>>): string => {
  const constants = Object.entries({ ...OWN, ...catalogue }).map(([code, { title }]) => constant(code, title))
  return `${HEAD}${constants.join('\n')}    }\n}\n`
}

const constant = (code: string, title: string): string => `        /// <summary>${escaped(title)}</summary>
        public const string ${nameOf(code)} = "${code}";
`

/** Returns the name of the C# constant of a code: `LobbyFull` for `LOBBY_FULL`. */
const nameOf = (code: string): string =>
  code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')

/** Returns a text escaped for XML. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Path of the C++ client, relative to the root. Its list of codes is generated, between two comments. */
export const CPP_CLIENT_FILE = 'packages/engines/cpp/matchyard.hpp'

/** Returns the text of the C++ client with an enumerator for each code, in the order of the catalogue. */
export const withErrorCodes = (
  client: string,
  catalogue: Readonly<Record<string, { readonly number: number }>>,
): string => {
  const codes = Object.entries(catalogue).map(([code, { number }]) => `  ${code.toLowerCase()} = ${number},\n`)
  return client.replace(
    /(\n {2}\/\/ <codes>.*\n)[\s\S]*?( {2}\/\/ <\/codes>\n)/,
    (_, head, foot) => `${head}${codes.join('')}${foot}`,
  )
}
