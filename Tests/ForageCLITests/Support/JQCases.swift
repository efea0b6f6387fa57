/// Expressions of `--jq` and what jq 1.6 prints for them.
enum JQCases {
  static let document = #"""
    {"schema":1,"items":[
    {"id":"a/b","stars":8149,"title":"apple \"swift\"","labels":[{"name":"bug"},
    {"name":"ä日\tx"}],"n":null,"f":0.5,"ok":true},
    {"id":"c/d","stars":0,"title":"b\\c,d\n","labels":[],"n":1,"f":-2.25,"ok":false},
    {"id":"e/f","stars":999,"title":"Zed","labels":[{"name":"feature"}],"n":[1,{"x":2}],"f":1e3,"ok":true}],
    "o":{"z":1,"a":{"k":[1,2,3]}}}
    """#

  static let all: [(String, String)] = [
    (
      ".items[].id",
      #"""
      a/b
      c/d
      e/f
      """#
    ),
    (".items[-1].id", "e/f"),
    (".items[7]", "null"),
    (".items[1:]|length", "2"),
    (".items[-2:]|map(.id)", #"["c/d","e/f"]"#),
    (".items[0].title[2:5]", "ple"),
    (#".o."z""#, "1"),
    (#".["o"]["a"]"#, #"{"k":[1,2,3]}"#),
    (".items|map(.stars)|sort", "[0,999,8149]"),
    (
      ".items|sort_by(.ok,.stars)|.[].id",
      #"""
      c/d
      e/f
      a/b
      """#
    ),
    (
      ".items|group_by(.ok)|map({ok:.[0].ok, ids:map(.id)})",
      #"[{"ok":false,"ids":["c/d"]},{"ok":true,"ids":["a/b","e/f"]}]"#
    ),
    (".items|unique_by(.ok)|map(.id)", #"["c/d","a/b"]"#),
    (
      ".items[]|select(.stars>=999 and .ok)|.id",
      #"""
      a/b
      e/f
      """#
    ),
    (".items[]|select(.stars==0 or (.ok|not))|.id", "c/d"),
    (#".items[]|select(.title|test("^Z.d$"))|.id"#, "e/f"),
    // The ends of a pattern are those of the text, and its classes have the letters of Unicode.
    (
      ##"["a\nb\n"|test("^b","a$","b$","a.b","(?m)^b","(?s)a.b","b\\z")]"##,
      "[false,false,true,false,true,true,false]"
    ),
    (##"["äß٣"|test("^\\w+$","Ä","(?i)Ä","\\d","[[:alpha:]]{2}","")]"##, "[true,false,true,true,true,true]"),
    (##"["aa"|test("(?<x>a)\\k<x>","(a)\\1a","(?x) a a #b","\\p{L}{3}")]"##, "[true,false,true,false]"),
    (#".items[]|select(.title|contains("swift"))|.id"#, "a/b"),
    (#".items[]|select(.id|startswith("a"))|.id"#, "a/b"),
    (#".items[]|select(.id|endswith("/f"))|.id"#, "e/f"),
    (
      #".items[]|"\(.id) has \(.stars) and \(.labels|map(.name)|join(", "))""#,
      #"""
      a/b has 8149 and bug, ä日	x
      c/d has 0 and 
      e/f has 999 and feature
      """#
    ),
    (
      ".items[]|[.id,.stars,.title,.ok,.f]|@tsv",
      #"""
      a/b	8149	apple "swift"	true	0.5
      c/d	0	b\\c,d\n	false	-2.25
      e/f	999	Zed	true	1000
      """#
    ),
    (
      ".items[]|[.id,.stars,.title,.ok,null]|@csv",
      #"""
      "a/b",8149,"apple ""swift""",true,
      "c/d",0,"b\c,d
      ",false,
      "e/f",999,"Zed",true,
      """#
    ),
    (
      #"[.items[]|{id,s:.stars,"t x":.title,(.id):1}]"#,
      #"[{"id":"a/b","s":8149,"t x":"apple \"swift\"","a/b":1},{"id":"c/d","s":0,"t x":"b\\c,d\n","c/d":1},{"id":"e/f","s":999,"t x":"Zed","e/f":1}]"#
    ),
    (
      "{a:(1,2),b:(3,4)}",
      #"""
      {"a":1,"b":3}
      {"a":1,"b":4}
      {"a":2,"b":3}
      {"a":2,"b":4}
      """#
    ),
    (
      #""\(1,2)-\(3,4)""#,
      #"""
      1-3
      2-3
      1-4
      2-4
      """#
    ),
    ("[(1,2)+(10,20)]", "[11,12,21,22]"),
    (".items[].n.x?", "null"),
    (".items[]|.n.x?", "null"),
    (
      #".items[]|if .stars>1000 then "big" elif .stars>0 then "mid" else "none" end"#,
      #"""
      big
      none
      mid
      """#
    ),
    (
      #".items[].n // "none""#,
      #"""
      1
      [1,{"x":2}]
      """#
    ),
    (".nope.deeper", "null"),
    ("1+2*3-4/2%3", "5"),
    (
      "-(1,2)",
      #"""
      -1
      -2
      """#
    ),
    ("10/4", "2.5"),
    (String(repeating: ".|", count: 150) + ".schema", "1"),
    ("-5 % 3.5", "-2"),
    ("[1,2,3]-[2]", "[1,3]"),
    ("{a:1}+{b:2,a:3}", #"{"a":3,"b":2}"#),
    (
      ".items|map(.labels = (.labels|map(.name)))|.[:2] # of the manual of gh",
      #"[{"id":"a/b","stars":8149,"title":"apple \"swift\"","labels":["bug","ä日\tx"],"n":null,"f":0.5,"ok":true},{"id":"c/d","stars":0,"title":"b\\c,d\n","labels":[],"n":1,"f":-2.25,"ok":false}]"#
    ),
    (".o|keys", #"["a","z"]"#),
    (
      #".o|has("z"),has("q")"#,
      #"""
      true
      false
      """#
    ),
    ("[1,[2]]|tostring", "[1,[2]]"),
    (
      #"[3,null,"a",{"b":1},[1],true,false,{"a":2},{"a":1,"b":0}]|sort"#,
      #"[null,false,true,3,"a",[1],{"a":2},{"a":1,"b":0},{"b":1}]"#
    ),
    (
      #"[1,2]==[1,2], {a:1}=={a:1.0}, "a"<"b", [1]<[1,0], null<false"#,
      #"""
      true
      true
      true
      true
      true
      """#
    ),
    (".items|map(.stars)|add", "9148"),
    (".items|reverse|map(.id)", #"["e/f","c/d","a/b"]"#),
    (#"["a",1,null,true]|join("-")"#, "a-1--true"),
    (#"{"a":{"b":"hello"}}|contains({a:{b:"ell"}})"#, "true"),
    (#"["foobar"]|contains(["bar"])"#, "true"),
    (
      ".items[] | .labels[]?.name",
      #"""
      bug
      ä日	x
      feature
      """#
    ),
    ("[.items[]|.n|.[0]?]", "[null,1]"),
    ("[(1,null,2)|select(.)]", "[1,2]"),
    (
      #""a\nb\t\"q\" \\ \/""#,
      #"""
      a
      b	"q" \ /
      """#
    ),
    ("empty", ""),
    ("[.[]?]|unique|length", "3"),
  ]
}
