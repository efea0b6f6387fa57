extension LanguageTable {
  /// Part 1 of the language facts, `1C Enterprise` to `GCC Machine Description`; see `facts`.
  static let facts1 = """
    1C Enterprise	p			.bsl .os
    2-Dimensional Array	d			.2da
    4D	p			.4dm
    ABAP	p			.abap
    ABAP CDS	p			.asddls
    ABNF	d			.abnf
    ActionScript	p			.as
    Ada	p			.adb .ada .ads
    Adblock Filter List	d			.txt
    Adobe Font Metrics	d			.afm
    Agda	p			.agda
    AGS Script	p			.asc .ash
    AIDL	p			.aidl		aidl
    Aiken	p			.ak
    AL	p			.al
    Aleo	p			.aleo
    ALGOL	p			.alg
    Alloy	p			.als
    Alpine Abuild	p	Shell			APKBUILD
    Altium Designer	d			.OutJob .PcbDoc .PrjPCB .SchDoc
    AMPL	p			.ampl .mod
    AngelScript	p			.as .angelscript
    Answer Set Programming	p			.lp		clingo
    Ant Build System	d				ant.xml|build.xml
    Antlers	m			.antlers.html .antlers.php .antlers.xml
    ANTLR	p			.g4
    ApacheConf	d			.apacheconf .vhost	.htaccess|apache2.conf|httpd.conf
    Apex	p			.cls .apex .trigger
    API Blueprint	m			.apib
    APL	p			.apl .dyalog		apl aplx dyalog
    Apollo Guidance Computer	p	Assembly		.agc
    AppleScript	p			.applescript .scpt		osascript
    Arc	p			.arc
    AsciiDoc	t			.asciidoc .adoc .asc
    ASL	p			.asl .dsl
    ASN.1	d			.asn .asn1
    ASP.NET	p			.asax .ascx .ashx .asmx .aspx .axd
    AspectJ	p			.aj
    Assembly	p			.asm .a51 .i .inc .nas .nasm .s
    Astro	m			.astro
    Asymptote	p			.asy		asy
    ATS	p			.dats .hats .sats
    Augeas	p			.aug
    AutoHotkey	p			.ahk .ah1 .ah2 .ahkl
    AutoIt	p			.au3
    Avro IDL	d			.avdl
    Awk	p			.awk .auk .gawk .mawk .nawk		awk gawk mawk nawk
    B	p			.b
    B (Formal Method)	p			.mch
    B4X	p			.bas
    Ballerina	p			.bal
    BAML	p			.baml
    BASIC	p			.bas
    Batchfile	p			.bat .cmd	gradlew.bat|mvnw.cmd
    BBCode	m			.bbcode
    Beef	p			.bf
    Befunge	p			.befunge .bf
    Berry	p			.be
    BibTeX	m	TeX		.bib .bibtex
    BibTeX Style	p			.bst
    Bicep	p			.bicep .bicepparam
    Bikeshed	m			.bs
    BIRD2	d				bird.conf
    Bison	p	Yacc		.bison
    BitBake	p			.bb .bbappend .bbclass .inc
    Blade	m			.blade .blade.php
    BlitzBasic	p			.bb .decls
    BlitzMax	p			.bmx
    Blueprint	m			.blp
    Bluespec	p			.bsv
    Bluespec BH	p	Bluespec		.bs
    Boo	p			.boo
    Boogie	p			.bpl		boogie
    BQN	p			.bqn
    Brainfuck	p			.b .bf
    BrighterScript	p			.bs
    Brightscript	p			.brs
    Browserslist	d				.browserslistrc|browserslist
    Bru	m			.bru
    BuildStream	d			.bst
    C	p		1	.c .cats .h .h.in .idc		tcc
    C#	p		1	.cs .cake .cs.pp .csx .linq
    C++	p		1	.cpp .c++ .cc .cp .cppm .cxx .h .h++ .hh .hpp .hxx .inc .inl .ino .ipp .ixx .re .tcc .tpp .txx
    C-ObjDump	d			.c-objdump
    C2hs Haskell	p	Haskell		.chs
    C3	p			.c3
    Cabal Config	d			.cabal	cabal.config|cabal.project
    Caddyfile	d			.caddyfile	Caddyfile
    Cadence	p			.cdc
    Cairo	p	Cairo		.cairo
    Cairo Zero	p	Cairo		.cairo
    CameLIGO	p	LigoLANG		.mligo
    Cangjie	p			.cj
    CAP CDS	p			.cds
    Cap'n Proto	p			.capnp
    Carbon	p			.carbon
    CartoCSS	p			.mss
    Ceylon	p			.ceylon
    Chapel	p			.chpl
    Charity	p			.ch
    Checksums	d			.crc32 .md2 .md4 .md5 .sha1 .sha2 .sha224 .sha256 .sha256sum .sha3 .sha384 .sha512	\
    MD5SUMS|SHA1SUMS|SHA256SUMS|SHA256SUMS.txt|SHA512SUMS|checksums.txt|cksums|md5sum.txt
    ChucK	p			.ck
    CIL	d			.cil
    Circom	p			.circom
    Cirru	p			.cirru
    Clarion	p			.clw
    Clarity	p			.clar
    Classic ASP	p			.asp
    Clean	p			.icl .dcl
    Click	p			.click
    CLIPS	p			.clp
    Clojure	p			.clj .bb .boot .cl2 .cljc .cljs .cljs.hl .cljscm .cljx .hic	riemann.config	bb
    Closure Templates	m			.soy
    Cloud Firestore Security Rules	d				firestore.rules
    Clue	p			.clue
    CMake	p			.cmake .cmake.in	CMakeLists.txt
    COBOL	p			.cob .cbl .ccp .cobol .cpy
    CODEOWNERS	d				CODEOWNERS
    CodeQL	p			.ql .qll
    CoffeeScript	p		1	.coffee ._coffee .cake .cjsx .coffee.erb .iced	Cakefile	coffee
    ColdFusion	p			.cfm .cfml
    ColdFusion CFC	p	ColdFusion		.cfc
    COLLADA	d			.dae
    Common Lisp	p			.lisp .asd .cl .l .lsp .ny .podsl .sexp		lisp sbcl ccl clisp ecl
    Common Workflow Language	p			.cwl		cwl-runner
    Component Pascal	p			.cp .cps
    CoNLL-U	d			.conllu .conll
    Cooklang	m			.cook
    Cool	p			.cl
    Cpp-ObjDump	d			.cppobjdump .c++-objdump .c++objdump .cpp-objdump .cxx-objdump
    CQL	p			.cql
    Creole	t			.creole
    crontab	d				crontab
    Crystal	p			.cr		crystal
    CSON	d			.cson
    Csound	p			.orc .udo
    Csound Document	p			.csd
    Csound Score	p			.sco
    CSS	m		1	.css
    CSV	d			.csv
    Cuda	p			.cu .cuh
    CUE	p			.cue
    Cue Sheet	d			.cue
    cURL Config	d	INI			.curlrc|_curlrc
    Curry	p			.curry
    CWeb	p			.w
    Cycript	p			.cy
    Cylc	d	INI		.cylc	suite.rc
    Cypher	p			.cyp .cypher
    Cython	p			.pyx .pxd .pxi
    D	p			.d .di
    D-ObjDump	d			.d-objdump
    D2	m			.d2
    Dafny	p			.dfy		dafny
    Darcs Patch	d			.darcspatch .dpatch
    Dart	p		1	.dart		dart
    Daslang	p			.das
    DataWeave	p			.dwl
    Debian Package Control File	d			.dsc
    DenizenScript	p			.dsc
    desktop	d	INI		.desktop .desktop.in
    Dhall	p			.dhall
    Diff	d			.diff .patch
    DIGITAL Command Language	p			.com
    dircolors	d			.dircolors	.dir_colors|.dircolors|DIR_COLORS|_dir_colors|_dircolors|dir_colors
    DirectX 3D File	d			.x
    DM	p		1	.dm
    DNS Zone	d			.zone .arpa
    Dockerfile	p			.dockerfile .containerfile	Containerfile|Dockerfile
    Dogescript	p			.djs
    Dotenv	d			.env	.env|.env.ci|.env.dev|.env.development|.env.development.local|.env.example|.env.local|\
    .env.prod|.env.production|.env.sample|.env.staging|.env.template|.env.test|.env.testing
    DTrace	p			.d		dtrace
    Dune	p				dune-project
    Dylan	p			.dylan .dyl .intr .lid
    E	p			.e		rune
    E-mail	d			.eml .mbox
    Eagle	d			.sch .brd
    Earthly	p				Earthfile
    Easybuild	d	Python		.eb
    EBNF	d			.ebnf
    eC	p			.ec .eh
    Ecere Projects	d	JavaScript		.epj
    ECL	p			.ecl .eclxml
    ECLiPSe	p	Prolog		.ecl
    Ecmarkup	m	HTML		.html
    Edge	m			.edge
    EdgeQL	p			.edgeql .esdl
    EditorConfig	d	INI		.editorconfig	.editorconfig
    Edje Data Collection	d			.edc
    edn	d			.edn
    Eiffel	p			.e
    EJS	m			.ejs .ect .ejs.t .jst
    Elixir	p		1	.ex .exs	mix.lock	elixir
    Elm	p			.elm
    Elvish	p			.elv		elvish
    Elvish Transcript	p	Elvish
    Emacs Lisp	p			.el .emacs .emacs.desktop	.abbrev_defs|.emacs|.emacs.desktop|.gnus|.spacemacs|.viper|\
    Cask|Eask|Project.ede|_emacs|abbrev_defs
    EmberScript	p			.em .emberscript
    EQ	p			.eq
    Erlang	p			.erl .app .app.src .es .escript .hrl .xrl .yrl	Emakefile|rebar.config|rebar.config.lock|\
    rebar.lock	escript
    Euphoria	p			.e .ex		eui euiw
    F#	p			.fs .fsi .fsx
    F*	p			.fst .fsti
    Factor	p			.factor	.factor-boot-rc|.factor-rc
    Fancy	p			.fy .fancypack	Fakefile
    Fantom	p			.fan
    Faust	p			.dsp
    Fennel	p			.fnl		fennel
    FIGlet Font	d			.flf
    Filebench WML	p			.f
    Filterscript	p	RenderScript		.fs
    FIRRTL	p			.fir
    fish	p	Shell		.fish		fish
    FlatBuffers	d			.fbs
    Flix	p			.flix
    Fluent	p			.ftl
    FLUX	p			.fx .flux
    Formatted	d			.for .eam.fs
    Forth	p			.fth .4th .f .for .forth .fr .frt .fs
    Fortran	p	Fortran		.f .f77 .for .fpp
    Fortran Free Form	p	Fortran		.f90 .f03 .f08 .f95
    FPP	p			.fpp .fppi
    FreeBASIC	p			.bi .bas
    FreeMarker	p			.ftl .ftlh
    Frege	p			.fr
    Futhark	p			.fut
    G-code	p			.g .cnc .gco .gcode
    Game Maker Language	p			.gml
    GAML	p			.gaml
    GAMS	p			.gms
    GAP	p			.g .gap .gd .gi .tst
    GCC Machine Description	p			.md
    """
}
