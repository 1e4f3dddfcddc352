import { z } from '@hono/zod-openapi'
import type { Codec } from './codec'
import { component } from './described'
import type { AnswerFields, BodyFields } from './fields'
import { mirrorOf } from './object'
import { eitherOf } from './path-names'

type Variants<Whole extends Typed, V> = {
  readonly [Type in keyof V]: AnswerFields<Extract<Whole, { readonly type: Type }>, V[Type]>
}

interface Typed {
  readonly type: string
}

/** Objects of several shapes that say in `type` which one it is. Every type of the domain has its fields here. */
export const unionOf =
  <Whole extends Typed>() =>
  <V extends Readonly<Record<Whole['type'], BodyFields>>>(
    variants: V & Variants<Whole, V>,
    name: string,
    words?: string,
  ): Codec<Whole, z.ZodType<{ readonly type: Whole['type'] }>> => {
    const shapes = Object.entries<BodyFields>(variants).map(([type, fields]) => {
      const { body, decode, encode, names } = mirrorOf<object>()(fields as never)
      const { shape } = body as unknown as z.ZodObject
      return {
        type,
        schema: z.strictObject({ type: z.literal(type).openapi({ description: 'Which rule it is.' }), ...shape }),
        decode,
        encode,
        names,
      }
    })
    const byType = new Map(shapes.map((shape) => [shape.type, shape]))
    const shapeOf = ({ type }: Typed) => {
      const shape = byType.get(type)
      if (shape === undefined) throw new Error(`${name} has no type ${JSON.stringify(type)}`)
      return shape
    }
    const [first, ...others] = shapes.map(({ schema }) => schema)
    if (first === undefined) throw new Error(`${name} has no types`)
    const schema = component(z.discriminatedUnion('type', [first, ...others]), name, words)
    return {
      body: schema as unknown as z.ZodType<{ readonly type: Whole['type'] }>,
      answer: schema as unknown as z.ZodType<{ readonly type: Whole['type'] }>,
      decode: (sent) => ({ type: sent.type, ...(shapeOf(sent).decode(sent as never) as object) }) as unknown as Whole,
      encode: (value) => ({ type: value.type, ...(shapeOf(value).encode(value) as object) }),
      names: eitherOf(shapes.map(({ names }) => names)),
    }
  }
