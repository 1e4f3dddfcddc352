import type { AdminCall } from './operations'
import { members } from './schema'

/** Returns a wire name in the spelling of TypeScript. */
export const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the name of the type of a list's query. */
export const listName = ({ group }: AdminCall): string => `List${group.charAt(0).toUpperCase()}${group.slice(1)}`

/** Returns the members of a call's query, in braces. */
export const queryType = ({ query }: AdminCall, indent: string): string =>
  members(
    {
      properties: Object.fromEntries(
        query.map(({ name, schema, description }) => [camel(name), { ...schema, description }]),
      ),
      required: query.flatMap(({ name, required }) => (required ? [camel(name)] : [])),
      additionalProperties: false,
    },
    indent,
  )
