import { describe, expect, test } from "vitest"
import { parse } from "../src/index.ts"
import type { ExprNode } from "../src/index.ts"

describe("expressions bind as their precedence says", () => {
  test.each([
    ["a || b && c", "(|| a (&& b c))"],
    ["a && b || c", "(|| (&& a b) c)"],
    ["a || b || c", "(|| (|| a b) c)"],
    ["a == b && c < d", "(&& (== a b) (< c d))"],
    ["a + b == c - d", "(== (+ a b) (- c d))"],
    ["a - b - c", "(- (- a b) c)"],
    ["a + b * c % d / e", "(+ a (/ (% (* b c) d) e))"],
    ["(a + b) * c", "(* (group (+ a b)) c)"],
    ["!a == b", "(== (! a) b)"],
    ["!!a.b", "(! (! (. a b)))"],
    ["-a * -1", "(* (- a) (- 1))"],
    ["a -1", "(- a 1)"],
    ["- a . b [ 0 ]", "(- ([] (. a b) 0))"],
    ["a[b[0]].c", "(. ([] a ([] b 0)) c)"],
    ["a[*].b == 1", "(== (. ([] a *) b) 1)"],
    ["every(a[ * ][*])", "(every ([] ([] a *) *))"],
    ['f(a, g(1), "x")', '(f a (g 1) "x")'],
    ["f()", "(f)"],
    ["$env.A == $secret.B", "(== env:A secret:B)"],
    ["0x00Ff == 1e10", "(== 0x00Ff 1e10)"],
    ["true != null", "(!= true null)"],
    ['"a\\n{{b}}"', '"a\\n{{b}}"'],
    ["a.true.null", "(. (. a true) null)"],
  ])("%s", (source, expected) => {
    expect(shape(expressionOf(source))).toBe(expected)
  })
})

function expressionOf(source: string): ExprNode {
  const { tree, diagnostics } = parse(`### a\nm []\n?? ${source}`)
  expect(diagnostics).toEqual([])
  const expr = tree.sections[0]?.checks[0]?.expr
  if (expr === undefined) throw new Error(`no expression in ${source}`)
  return expr
}

function shape(expr: ExprNode): string {
  switch (expr.kind) {
    case "Literal":
      if (expr.type === "null") return "null"
      return "text" in expr ? expr.text : JSON.stringify(expr.value)
    case "Name":
      return expr.name
    case "Member":
      return `(. ${shape(expr.object)} ${expr.property.text})`
    case "AllItems":
      return "*"
    case "Index":
      return `([] ${shape(expr.object)} ${shape(expr.index)})`
    case "Function":
      return `(${[expr.name.text, ...expr.args.map(shape)].join(" ")})`
    case "Env":
      return `env:${expr.name.text}`
    case "Secret":
      return `secret:${expr.name.text}`
    case "Unary":
      return `(${expr.operator} ${shape(expr.operand)})`
    case "Binary":
      return `(${expr.operator} ${shape(expr.left)} ${shape(expr.right)})`
    case "Group":
      return `(group ${shape(expr.expr)})`
    case "ErrorExpr":
      return "error"
  }
}
