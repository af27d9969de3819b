export { default } from "@dotrpc/vitest"
