export * from './launches'
export * from './probe-client'
