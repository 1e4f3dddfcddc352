export * from './usage'
