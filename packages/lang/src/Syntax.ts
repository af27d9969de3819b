/**
 * The nodes of a parsed `.rpc` file: plain, readonly data without parents or behaviour. What takes room and is seldom asked for,
 * the content of sections and of strings, is made when it is read.
 *
 * Invariant: offsets count UTF-16 code units from the start of the file, and a node's span contains the spans of its children.
 */
import type { TokenList } from "./Token.ts"

/** A range of the text: `start` inclusive, `end` exclusive, in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A name, title or value that is kept as it was written, without surrounding spaces. */
export interface Word extends Span {
  readonly text: string
}

/** A whole file. Its `tokens` cover every code unit of the text, so the file can be printed back from them. */
export interface FileNode extends Span {
  readonly kind: "File"
  readonly prelude: PreludeNode
  readonly sections: ReadonlyArray<SectionNode>
  readonly tokens: TokenList
}

/** What the prelude and every section may hold, each list in the order of the text. */
export interface SectionBody {
  readonly directives: ReadonlyArray<DirectiveNode>
  readonly variables: ReadonlyArray<VariableNode>
  readonly call?: CallNode | undefined
  readonly checks: ReadonlyArray<CheckNode>
}

/** Everything before the first `###`: defaults and variables for the file. A call or check here has a diagnostic. */
export interface PreludeNode extends Span, SectionBody {
  readonly kind: "Prelude"
}

/** From a `###` at column 0 to the next one or the end of the file. `header` runs from the first `#` to the end of the title. */
export interface SectionNode extends Span, SectionBody {
  readonly kind: "Section"
  readonly header: Span
  readonly title: Word
}

/** `# @name value` or `// @name value`. A missing value is an empty word. */
export interface DirectiveNode extends Span {
  readonly kind: "Directive"
  readonly name: Word
  readonly value: Word
}

/** `@name = value`. A bare expression (`@x = hex(1)`) is a `Template` node without braces. */
export interface VariableNode extends Span {
  readonly kind: "Variable"
  readonly name: Word
  readonly value?: ValueNode | undefined
}

/** A method name and its params. */
export interface CallNode extends Span {
  readonly kind: "Call"
  readonly method: Word
  readonly params?: ValueNode | undefined
}

/** `?? expression`. `text` is the expression as it was written. */
export interface CheckNode extends Span {
  readonly kind: "Check"
  readonly expr: ExprNode
  readonly text: string
}

/** A JSON value, or a `{{expression}}` that stands for one. */
export type ValueNode =
  | ObjectNode
  | ArrayNode
  | StringNode
  | NumberNode
  | BooleanNode
  | NullNode
  | TemplateNode
  | ErrorNode

/** `{ … }` with its members. */
export interface ObjectNode extends Span {
  readonly kind: "Object"
  readonly properties: ReadonlyArray<PropertyNode>
}

/** `"key": value`. The value is missing only where a diagnostic says so. */
export interface PropertyNode extends Span {
  readonly kind: "Property"
  readonly key: StringNode
  readonly value?: ValueNode | undefined
}

/** `[ … ]` with its items. */
export interface ArrayNode extends Span {
  readonly kind: "Array"
  readonly items: ReadonlyArray<ValueNode>
}

/** A string. `value` is the decoded text and is present when no part is a template. */
export interface StringNode extends Span {
  readonly kind: "String"
  readonly parts: ReadonlyArray<TextPart | TemplateNode>
  readonly value?: string | undefined
}

/** A stretch of text inside a string; `value` is decoded. */
export interface TextPart extends Span {
  readonly kind: "Text"
  readonly value: string
}

/** A number. `text` has the digits exactly as written, so no precision is lost. */
export interface NumberNode extends Span {
  readonly kind: "Number"
  readonly text: string
}

/** `true` or `false` in params. */
export interface BooleanNode extends Span {
  readonly kind: "Boolean"
  readonly value: boolean
}

/** `null` in params. */
export interface NullNode extends Span {
  readonly kind: "Null"
}

/** `{{expression}}` as a value or inside a string; also the bare expression of a variable. */
export interface TemplateNode extends Span {
  readonly kind: "Template"
  readonly expr: ExprNode
}

/** Text that is not a value. A diagnostic covers it. */
export interface ErrorNode extends Span {
  readonly kind: "Error"
}

/** An expression of a check, a template or a variable. */
export type ExprNode =
  | LiteralExpr
  | NameExpr
  | MemberExpr
  | IndexExpr
  | AllItemsExpr
  | FunctionExpr
  | EnvExpr
  | SecretExpr
  | UnaryExpr
  | BinaryExpr
  | GroupExpr
  | ErrorExpr

/** A literal; `type` tells which. Numbers and hex literals keep their text, strings are decoded. */
export type LiteralExpr = NumberLiteral | HexLiteral | StringLiteral | BooleanLiteral | NullLiteral

/** What all literals have. */
export interface LiteralBase extends Span {
  readonly kind: "Literal"
}

/** A number in an expression, as it is written. */
export interface NumberLiteral extends LiteralBase {
  readonly type: "number"
  readonly text: string
}

/** `0x…`: a quantity or data, case and leading zeros kept. */
export interface HexLiteral extends LiteralBase {
  readonly type: "hex"
  readonly text: string
}

/** A string in an expression. */
export interface StringLiteral extends LiteralBase {
  readonly type: "string"
  readonly value: string
}

/** `true` or `false` in an expression. */
export interface BooleanLiteral extends LiteralBase {
  readonly type: "boolean"
  readonly value: boolean
}

/** `null` in an expression. */
export interface NullLiteral extends LiteralBase {
  readonly type: "null"
}

/** A variable, a named request, or a name that the reader provides such as `result`. */
export interface NameExpr extends Span {
  readonly kind: "Name"
  readonly name: string
}

/** `object.property` */
export interface MemberExpr extends Span {
  readonly kind: "Member"
  readonly object: ExprNode
  readonly property: Word
}

/** `object[index]` */
export interface IndexExpr extends Span {
  readonly kind: "Index"
  readonly object: ExprNode
  readonly index: ExprNode
}

/** The `*` of `object[*]`, which stands for every item of a list. */
export interface AllItemsExpr extends Span {
  readonly kind: "AllItems"
}

/** `name(argument, …)` */
export interface FunctionExpr extends Span {
  readonly kind: "Function"
  readonly name: Word
  readonly args: ReadonlyArray<ExprNode>
}

/** `$env.NAME` */
export interface EnvExpr extends Span {
  readonly kind: "Env"
  readonly name: Word
}

/** `$secret.NAME` */
export interface SecretExpr extends Span {
  readonly kind: "Secret"
  readonly name: Word
}

/** An operator before its operand. */
export type UnaryOperator = "!" | "-"

/** An operator before one operand. */
export interface UnaryExpr extends Span {
  readonly kind: "Unary"
  readonly operator: UnaryOperator
  readonly operand: ExprNode
}

/** An operator between its operands. */
export type BinaryOperator = "||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "+" | "-" | "*" | "/" | "%"

/** An operator between two operands. */
export interface BinaryExpr extends Span {
  readonly kind: "Binary"
  readonly operator: BinaryOperator
  readonly left: ExprNode
  readonly right: ExprNode
}

/** `(expression)` */
export interface GroupExpr extends Span {
  readonly kind: "Group"
  readonly expr: ExprNode
}

/** Text that is not an expression. A diagnostic covers it or its neighbour. */
export interface ErrorExpr extends Span {
  readonly kind: "ErrorExpr"
}

/** Every node that has a `kind`. */
export type SyntaxNode =
  | FileNode
  | PreludeNode
  | SectionNode
  | DirectiveNode
  | VariableNode
  | CallNode
  | CheckNode
  | PropertyNode
  | TextPart
  | ValueNode
  | ExprNode
