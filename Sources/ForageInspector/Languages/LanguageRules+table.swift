// swift-format-ignore-file
extension LanguageRules {
  /// The rules for extensions that several languages share; ``init(_:)`` describes their form.
  ///
  /// Each pattern is text that is usual in one language and rare or impossible in the others.
  static let shared = LanguageRules(
    #"""
    title: ^[.']TH\b
    heading: ^[.']SH\b
    date: ^[.']Dd\b
    document: ^[.']Dt\b
    section: ^[.']Sh\b
    gerber: ^[ \t]*(?:G04|%FS|%MO)\b|^[ \t]*[DGMT]\d\d\*$
    assembly: (?i)^[ \t]*(?:(?:%macro|%define|%ifdef|\.macro|endif|\.equ)\b|section |global |org |ifndef |equ )
        |(?:move\.l|move\.w|move\.b|\tmacro)\b|\tequ\t| equ |\tmov |\tlda |\tldr[ ]
    perl: ^[ \t]*(?:(?:use strict|use warnings|=head1)\b|my \$|sub |package |print )
    clause: ^[ \t]*(?::- |:-)|:-[ \t]*$| :-[ ]
    perl5: ^[ \t]*(?:(?:use v5|use strict|use warnings|use Test::More|require 5)\b|use 5\.)
    raku: ^[ \t]*(?:(?:use v6|unit module|unit class|unit package|multi sub|multi method|=begin pod)\b
        |(?:proto|grammar|class|role|module|method|token|rule) |has \$|use Test;|plan \*)
    plsql: (?i)(?:sys_refcursor|varchar2|dbms_output|%rowtype|%type|exception when|constructor function)\b|pragma[ ]
    motorola68k: (?i)(?:move\.l|move\.w|move\.b|movem\.l|movea\.l|addq\.l|tst\.b|tst\.w|bsr\.w|bra\.s|clr\.l)\b
        |moveq\t|moveq |dbf\t|jsr\t\(
    objectivec: ^[ \t]*(?:(?:@interface|@protocol|@implementation|@class|@property|@end|@import
        |NS_ASSUME_NONNULL_BEGIN)\b|#import <|#import ")
    freebasic: (?i)^[ \t]*(?:(?:#include|#lang|#define|#ifdef|#ifndef|#pragma|extern "c)\b|namespace |return )
        |(?<!\w)(?:(?:byref as|as integer ptr|as any ptr|as zstring ptr)\b|cast\()
    fortran: (?i)^[ \t]*(?:(?:integer|real|implicit none|double precision|end subroutine|block data|interface
        |character)\b|program |subroutine |function |module |c |call |common |write\(|use )
    cplusplus: ^[ \t]*(?:(?:using namespace|Q_OBJECT)\b|template <|template<|namespace |using std::|public:|private:
        |protected:|#include <iostream>|#include <string>|#include <vector>|#include <map>|#include <memory>
        |#include <cstdint>|#include <cstddef>|#include <cstdlib>|#include <functional>|#include <utility>
        |#include <algorithm>|#include <type_traits>|#include <list>|#include <set>|#include <mutex>|namespace\{
        |public slots:|signals:|catch \(|catch\(|constexpr |explicit )|(?:noexcept|__has_cpp_attribute)\b|std::
        |static_cast<|reinterpret_cast<|dynamic_cast<|const_cast<|enum class |__cplusplus >|^[ \t]*(?:class
        |virtual) (?:.*[{;][ \t]*$|.*:| *\S+(?: +\S+)?[ \t]*$)
    .1 .2 .3 .4 .5 .6 .7 .8 .9 (Text) Roff Manpage: {{title}} && {{heading}}
      Roff Manpage: {{date}} && {{document}} && {{section}}
      Roff: ^[ \t]*\.(?:\\"|\w\w(?:[ \t]|$))
    .1in .1m .1x .3in .3m .3p .3pm .3qt .3x .man .mdoc (Roff) Roff Manpage: {{title}} && {{heading}}
      Roff Manpage: {{date}} && {{document}} && {{section}}
    .msg OMNeT++ MSG: ^(?:cplusplus\b|namespace |struct |message |packet |class |enum |import )
      ROS Interface: ^[ \t]*\w\S*[ \t]+\S !! ^[ \t]*[^\s\w#@-]
    .srv .action ROS Interface: ^[ \t]*\w\S*[ \t]+\S && ^--- !! ^[ \t]*[^\s\w#@-]
    # systemd units consist of sections of settings.
    .network .target .service .socket .mount .timer .container INI: ^[ \t]*[# ]*\[.*\]$ && =
    .url INI: ^\[InternetShortcut\]
    .app Erlang: ^[ \t]*(?:\{application,|\{'application',|\{application ,) && \}\.[ \t]*$
    .alg ALGOL: (?i:^[ \t]*(?:begin\b|comment |integer |real |boolean |procedure ))|^[ \t]*#.+#$
    .cmp Gerber Image: {{gerber}}
    .resource RobotFramework: ^(?:\*\*\* Settings|\*\*\* Variables|\*\*\* Keywords)\b
    .sol Solidity: ^[ \t]*pragma solidity\b|^[ \t]*(?:contract |abstract contract |interface |library )
      Gerber Image: {{gerber}}
    .stl STL: \A\s*solid\b && ^endsolid\b
    .tag Java Server Pages: ^[ \t]*<%@.*(?:tag|taglib|include|attribute|variable)\b|<%!|<%=
    # Lua cartridges of PICO-8; private keys have the same extension.
    .p8 Lua: pico-8 cartridge\b|^[ \t]*(?:__lua__\b|function |local )
    .h (C) Objective-C: {{objectivec}}
      C++: {{cplusplus}}
    .hh (C++) Hack: \A\s*<\?hh\b
    .cp (C++) Component Pascal: ^[ \t]*(?:BEGIN\b|MODULE |END |IMPORT )
    .m (MATLAB) Objective-C: {{objectivec}}|^[ \t]*(?:#import|#include|#define|#ifdef|#pragma)\b
      Mercury: ^[ \t]*(?::- module|:- interface|:- import_module|:- pred)\b
      Limbo: ^[ \t]*(?:implement |include ") && (?:module|adt)\b
      Limbo: (?:: module|->fd)\b|= load[ ] && sys->|con[ ]
      MUF: ^:[ ] && ^;
      MUF: \A\s*(?:\$def\b|\( ) && (?:begin|exit)\b
      Wolfram Language: ^[ \t]*\(\*
      Wolfram Language: \[\[|:=|/\.|BeginPackage\[|Module\[ !! ^[ \t]*(?:function |%)
      M: ^[ \t]*;
      M: ^[ \t]*(?:QUIT|quit)\b !! ^[ \t]*%
      MATLAB: ^[ \t]*(?:(?:end|classdef|clear|clc|close all|figure)\b|%|function |disp\(|fprintf\()
      M:  ;| S | D \^|\$\$
      Objective-C: ^[ \t]*(?:int main\b|//|/\*|@|static )
    .mm (Objective-C++) XML: \A\s*(?:(?:<\?xml|<map)\b|<!--)
    # Rust before RenderScript, because a string in a Rust test can hold what that rule looks for.
    .rs (Rust) XML: \A\s*<\?xml\b
      Rust: ^[ \t]*(?:use |fn |mod |pub |impl |macro_rules!|#!\[|#\[)
      RenderScript: ^[ \t]*(?:#pragma rs|#pragma version|#include|#pragma once)\b
    .re (Reason) C++: ^[ \t]*(?:(?:#include|#define|#ifdef|#ifndef|#pragma)\b|template <|template<|namespace )
        |(?:/\*!re2c|/\*!rules:re2c|/\*!max:re2c|/\*!stags:re2c)\b|^[ \t]*std::
    # `provider` and `probe` declare user-level (USDT) probes.
    .d (D) Makefile: \A(?:\s*#.*(?:\r\n?|\n))*+\s*+(?:[\w./+$()%\\ -]*\.[\w./+$()%\\ -]*:(?:[ \t]|$)
        |[\w./+$()%\\ -]+:(?:[ \t].*)?\\$)
      DTrace: ^[ \t]*#pragma D |#!/usr/sbin/dtrace\b
      DTrace: ^provider[ ] && ^[ \t]*probe[ ]
      DTrace: ^[ \t]*(?:BEGIN|END|[\w*?`$,-]*(?::[\w*?`$,-]*){3,})$ !! ^[ \t]*(?:import |module )
    .s (Unix Assembly) Assembly: (?i)^[ \t]*(?:(?:%define|%macro|%include|bits 16|bits 32|bits 64)\b|org )
      Unix Assembly: ^[ \t]*(?:\.globl|\.section|\.text|\.global|\.type|\.align|\.file|\.cfi_startproc)\b
      Motorola 68K Assembly: {{motorola68k}}
    .asm (Assembly) Assembly: (?i)^[ \t]*(?:(?:%define|%macro|%include|bits 16|bits 32|bits 64)\b|org )
      Motorola 68K Assembly: {{motorola68k}}
    .i (Assembly) SWIG: ^[ \t]*(?:(?:%module|%include|%define|%typemap|%template|%feature)\b|%\{)
      Motorola 68K Assembly: {{motorola68k}}
      SWIG: ^[ \t]*#pragma SWIG\b
    .ms (MAXScript) Unix Assembly: ^[ \t]*(?:\.text|\.globl|\.global|\.section|\.include|\.align)\b
      Roff: ^(?:(?:\.TH|\.SH|\.PP|\.LP|\.NH|\.TL|\.de|\.so|\.nr|\.ds)\b|\.\\")
      MiniScript: ^[ \t]*(?:end if|end while|end function|end for)\b
    .nas (Assembly) Nasal: props\.globals\b|func\(|func \{|func\(\)|setprop\(|getprop\(
    verilog: ^[ \t]*module .*(?:\(|;|#)|^[ \t]*(?:(?:endmodule|`timescale|`include|`define|`ifdef)\b|always @)
    .v (Verilog) V: {{verilog}} && ^[ \t]*(?:fn |pub fn )
      Verilog: {{verilog}}
      Rocq Prover: ^[ \t]*(?:Proof\b|Require |Import |Export |Lemma |Theorem |Qed\.
        |Definition |Inductive |Fixpoint |Section |From |Notation |Module |\(\*)
      V: ^[ \t]*(?:fn |pub fn |import |struct |pub struct |module |mut |println\()
    .f (Fortran) Forth: ^: |^[ \t]*(?:: |\\ |variable |constant )|(?<!\w)endif then\b
      Filebench WML: ^[ \t]*(?:flowop\b|set \$|define ) && (?:flowop|define process)\b
    .for (Fortran) Forth: ^: |^[ \t]*(?:: |\\ |variable |constant )|(?<!\w)endif then\b
      Formatted: \A\s*\( !! {{fortran}}
      Formatted: !! {{fortran}} !! (?<!\w)(?:end|END)\b
    .fpp (FPP) FPP: ^[ \t]*module .*\{|^[ \t]*(?:instance |topology |passive component )
      Fortran: {{fortran}}|^[ \t]*(?:(?:#ifdef|#include)\b|#:|!)
    .fr (Text) Forth: ^: |^[ \t]*(?:\\ |variable |\( )
      Frege: ^[ \t]*(?:infix\b|module |import |data |type )| ::[ ]
    .frag (GLSL) JavaScript: ^[ \t]*(?:(?:module\.exports|\(function)\b|function |var |require\()
        !! ^[ \t]*(?:void main\b|uniform )
    .fs (F#) GLSL: ^[ \t]*(?:(?:#version|void main|gl_FragColor|out vec|in vec)\b|precision |uniform |varying )
      Filterscript: ^[ \t]*(?:#include|#pragma rs|#pragma version)\b
      F#: ^[ \t]*(?:(?:#light|#if)\b|let |open |module |namespace |type |\[<|member |//|#r )
      Forth: ^: |^[ \t]*(?:: |\\ |variable |also |\( )
    .cs (C#) Smalltalk: \A\s*!
      Smalltalk:  ifTrue: \[|methodsFor:|subclass: #| \|[ ] && !$ !! ^[ \t]*(?:using [A-Z]|namespace )
    .cairo (Cairo) Cairo Zero: ^[ \t]*(?:(?:%lang|%builtins|\[ap|\[fp)\b|func |from starkware\.)|ap\+\+;[ \t]*$
    .ch (Charity) xBase: (?i)^[ \t]*(?:#command|#xcommand|#translate|#xtranslate|#define|#include|#ifdef)\b
    .pc (pkg-config) Pro*C: ^[ \t]*(?:EXEC SQL|exec sql|#include)\b|EXEC SQL\b
    .cl (OpenCL) Cool: ^[ \t]*class .*(?:inherits\b|\{)| inherits[ ]
      Common Lisp: ^[ \t]*(?:(?:\(defun|\(in-package|\(defpackage|\(defmacro|\(load)\b|\()|\A\s*;
    .x (RPC) Logos: ^[ \t]*(?:%hook|%ctor|%orig|%group|%new|%init|#import)\b
      DirectX 3D File: \A\s*xof[ ]
      Linker Script: ^[ \t]*(?:(?:SECTIONS|OUTPUT_ARCH|OUTPUT_FORMAT|MEMORY)\b|ENTRY\()
    .mod (Modula-2) XML: ^[ \t]*(?:<!ENTITY|<!ELEMENT|<!ATTLIST|<\?xml)\b|\A\s*<!--
      NMODL: ^[ \t]*(?:NEURON \{|NEURON\{|UNITS \{|UNITS\{|INITIAL \{|BREAKPOINT \{)
      Modula-2: ^[ \t]*(?:(?:DEFINITION MODULE|IMPLEMENTATION MODULE)\b|MODULE |PROCEDURE )
      Linux Kernel Module: \w\.k?o$
      AMPL: ^[ \t]*(?:subject to\b|param |set |var |minimize |maximize |s\.t\.)
    .nr (Roff) Noir: ^[ \t]*(?:fn |use |mod |struct |pub |global |contract |//)
    .pl (Perl) Prolog: {{clause}} !! {{perl}}
      Prolog: ^[ \t]*% && \.[ \t]*$ !! \$|=>|{{perl}}
      Raku: {{raku}} !! {{perl5}}
    .plt (Gnuplot) Prolog: {{clause}} !! {{perl}}
      Prolog: ^[ \t]*% && \.[ \t]*$ !! \$|=>|{{perl}}
    .pm (Perl) X PixMap: \A\s*(?:/\* XPM|! XPM2)\b|/\* XPM \*/
      Raku: {{raku}} !! {{perl5}}
    .t (Perl) Terra: ^[ \t]*(?:terra |local terra )|^[ \t]*local .*(?:= terralib\b|require\()
      Turing: ^[ \t]*var .*(?: : | := )
      Turing: ^[ \t]*(?:View\.Set\b|put "|proc |process ) !! ->|\$
      Raku: {{raku}} !! {{perl5}}
    .al (Perl) AL: (?i)^[ \t]*(?:table |codeunit |page |report |enum |tableextension |pageextension |query |profile |profileextension |pagecustomization |interface |permissionset )
      AL: (?i)end; && (?i)^[ \t]*(?:procedure |local procedure )
    .fcgi PHP: ^[ \t]*<\?php\b
      Perl: ^[ \t]*(?:use strict\b|my \$)
    .php (PHP) Hack: \A\s*<\?hh\b|^[ \t]*<\?hh\b
    pawn: ^[ \t]*(?:(?:public Plugin|#pragma newdecls)\b|native |forward |methodmap )|(?:MaxClients|SourceMod)\b
    .inc PHP: \A\s*(?:<\?php\b|<\?)|<\?php\b|<\?=
      HTML: (?i)\A\s*(?:(?:<html|<!doctype|<div|<p|<table)\b|<!--|</)
      BitBake: ^[ \t]*(?:(?:SUMMARY|SRC_URI|DEPENDS|RDEPENDS|do_install|PREFERRED_PROVIDER)\b|LICENSE =
        |inherit |PV =|PR =) && =
      NASL: ^[ \t]*(?:script_id\(|include\("|if\(description\)|local_var |global_var ) && (?:script_|get_kb_item
        |local_var|global_var)\b|exit\(0\)|\.inc"\);
      SourcePawn: {{pawn}} && (?:SourceMod|methodmap|sourcemod|SharedPlugin)\b|Handle:
      Pawn: {{pawn}}
      POV-Ray SDL: ^[ \t]*(?:#declare|#local|#macro|#version)\b && (?:#declare|#end|pigment)\b
      Motorola 68K Assembly: {{assembly}} && (?i)(?:move\.l|move\.w|move\.b)\b
      Assembly: {{assembly}}
      Assembly: ^[ \t]*(?:mov|push)[ \t] !! \{
      Pascal: (?i)^[ \t]*(?:(?:\{\$ifdef|\{\$define|const)\b|procedure |function |unit |\{\$|uses ) !! ^[ \t]*#
      SQL: (?i)^[ \t]*(?:(?:create table|insert into|drop table)\b|select |--) !! ^[ \t]*(?:#include|#define|#if
        |#pragma)\b
      C++: ^[ \t]*(?:#|static |//|/\*)
    .rpy (Python) Ren'Py: ^[ \t]*(?:init python\b|label |define |screen |image |init:|transform |style |init )
    .spec (Python) RPM Spec: ^[ \t]*(?:(?:%description|%prep|%files|%changelog|%define|%global)\b|Name:)
      Ruby: ^[ \t]*(?:Gem::Specification\b|require |describe |Pod::)
    .r (R) Rebol: (?i)^[ \t]*(?:(?:rebol|red/system)\b|red \[)
      Rez: ^[ \t]*(?:#include "Types\.r"|resource '|type '|data ')
    .reds (Red) Red: \A\s*Red/System\b|(?i:^[ \t]*red/system\b)
      Redscript: func |->
    .sql (SQL) PLpgSQL: (?i)(?:language plpgsql|raise notice)\b|language 'plpgsql'|\$\$|\$body\$|begin;
        && (?i)(?:plpgsql|raise notice)\b|language 'sql'|\$body\$ !! (?i)^[ \t]*go\b
      SQL: (?i)(?:language plpgsql|raise notice)\b|language 'plpgsql'|\$\$|\$body\$|begin; !! (?i)^[ \t]*go\b
      SQLPL: (?i)(?:language sql|begin atomic|signal sqlstate|modifies sql data|result_set_locator|mode db2sql
        |alter module)\b|syscat\.|sysproc\.|end![ \t]*$|end ![ \t]*$
      TSQL: (?i)(?:@@rowcount|begin try|sp_executesql|exec sp_|set nocount on|@@fetch_status)\b|nvarchar\(|\[dbo\]\.
        |^[ \t]*declare @
      TSQL: (?i)^[ \t]*go\b && (?i)dbo\.
      PLSQL: {{plsql}}
      PLSQL: (?i)^[ \t]*/ && (?i)create or replace (?:package|procedure|function)\b
    .ddl .prc (SQL) PLSQL: {{plsql}}
      PLSQL: (?i)^[ \t]*/ && (?i)create or replace (?:package|procedure|function)\b
    .es (JavaScript) Erlang: ^[ \t]*(?:-module\(|%%|%|main\()|\A\s*(?:#!/usr/bin/env escript\b|%!)
    .gs (JavaScript) Genie: ^[ \t]*(?:(?:init|\[indent)\b|uses ) !! \{
      Gosu: ^[ \t]*(?:uses |package |property |construct\()
      GLSL: ^[ \t]*(?:(?:#version|EmitVertex)\b|layout\(|layout \()
    .ts (TypeScript) XML: \A\s*(?:(?:<\?xml|<!DOCTYPE TS)\b|<TS )
    .tsx (TSX) XML: \A\s*(?:<\?xml|<tileset)\b
    .ls (LiveScript) LoomScript: \A\s*(?:import |package ) && ^[ \t]*(?:public |package\n\{|class )
        && override |public class[ ]
      LoomScript: ^[ \t]*package\b
    .qs (Qt Script) Q#: ^[ \t]*(?:open Microsoft\b|operation |namespace |newtype )
    .sc (Scala) Scala: ^[ \t]*(?:import |object |class |package |def |val |trait ) && def |object |val |import[ ]
        !! (?:SynthDef|\^this|Ugen)\b|\|
      SuperCollider: (?:SynthDef|\^this|\*new|\*ar)\b|\{ \||\{\||~|arg |var <
    .scd (SuperCollider) Markdown: ^[ \t]*(?:(?:NAME|_)\b|# ) && ^#[ ]
    .shader (ShaderLab) ShaderLab: ^[ \t]*(?:SubShader\b|Shader |Shader")
      GLSL: ^[ \t]*(?:(?:void main|#version)\b|uniform |precision )
    .star (Starlark) STAR: ^[ \t]*(?:data_|loop_|save_)\b|\A\s*data_\b
    .sls (Salt) Scheme: ^[ \t]*(?:(?:\(library|\(import|\(define)\b|\()|\A\s*(?:#!r6rs\b|;)
    .jq (jq) JSONiq: ^[ \t]*(?:(?:import module|module namespace|jsoniq version|xquery version)\b|declare |for \$)
    .tl (Teal) Type Language: ^[ \t]*(?:---functions---|---types---)|^(?!.*\()(?=.*#)(?=.*=)(?=.*:).*;$
    .uc (UnrealScript) ucode: ^[ \t]*(?:import |let |function |'use strict'|\{%|export )
        !! (?i)^[ \t]*class .*extends\b
    .nu (Nushell) Nushell: ^[ \t]*(?:#!/usr/bin/env nu\b|def |export |let |mut |use |module |alias )
      Nu: ^[ \t]*\(|\A\s*;
    .n (Nemerle) Roff: ^(?:(?:\.Dd|\.TH|\.SH|\.so)\b|['.]\\")
    .trigger (Apex) Shell: ^[ \t]*(?:#|if \[|set -|export ) !! (?i)^[ \t]*trigger[ ]
    .ks (KerboScript) Kickstart: ^[ \t]*(?:(?:%packages|%post|%pre|bootloader|rootpw|clearpart|autopart)\b|lang )
    .k (KCL) KFramework: ^[ \t]*(?:(?:endmodule|configuration)\b|module |syntax |rule |require |requires )
    .cake (CoffeeScript) C#: ^[ \t]*(?:(?:#addin|#tool|#load)\b|Task\(|var |using |//)
    .pluginspec (Ruby) XML: \A\s*(?:<\?xml|<plugin)\b
    .dsc (DenizenScript) Debian Package Control File: ^[ \t]*(?:-----BEGIN PGP\b|Format:|Source:|Binary:)
    .lisp .lsp (Common Lisp) NewLisp: ^[ \t]*(?:\(define |\(define\(|\(context )|newlisp\b
    lisp: ^[ \t]*(?:\(def|\(in-package|\(setq|\(let|\(defpackage)\b|\A\s*;
    .l (Lex) PicoLisp: {{lisp}} && ^[ \t]*(?:\(de |\(class |\(dm |\(rel |# )
      Common Lisp: {{lisp}}
      PicoLisp: ^[ \t]*(?:\(de |\(class \+|\(dm |\(must |\(symbols |\(load )
      Lex: ^(?:(?:%option|%x|%top)\b|%\{|%%)
      Roff: ^\.|^[ \t]*\.(?:TH\b|SH\b|\\")
    .ml (OCaml) Standard ML: ^[ \t]*(?:structure |signature |functor |fun |datatype |infix )
        !! ^[ \t]*(?:module |let rec |type t =)
    .ex (Elixir) Euphoria: ^[ \t]*(?:(?:end procedure|end function)\b
        |include |integer |sequence |atom |procedure |--|without ) !! ^[ \t]*(?:defmodule |@)
    .e (E) Euphoria: ^[ \t]*(?:(?:end procedure|end function)\b
        |procedure |global |include |public |namespace |export ) !! ^[ \t]*(?:(?:class|feature)\b|def )
      Eiffel: ^[ \t]*(?:class|feature|inherit|note|indexing|deferred class|create|expanded class)\b
    .b (B) Limbo: ^[ \t]*(?:implement |include ")
      Brainfuck: \+\+\+|\[-\]|>>>|\[>|^[-+<>\[\].,]{3,}$
    .bf (Befunge) HyPhy: ^[ \t]*(?:(?:LoadFunctionLibrary|fprintf|#include)\b|DataSet |global |Model |Tree )
      Beef: ^[ \t]*(?:using |namespace |class |public |struct )
      Brainfuck: \+\+\+|\[-\]|>>>|\[>|^[-+<>\[\].,]{3,}$
    .bb (BlitzBasic) BitBake: ^[ \t]*(?:(?:SUMMARY|DESCRIPTION|LICENSE|SRC_URI|DEPENDS)\b|inherit |require )
      Clojure: ^[ \t]*(?:(?:\(defn|\(require)\b|\(ns |\(def |\()|\A\s*#!/usr/bin/env bb\b
    .bs (Bikeshed) Bluespec BH: ^[ \t]*package | ::[ ]
      BrighterScript: ^[ \t]*(?:end sub\b|sub |function |class |namespace |import )
    .pro (Prolog) Proguard: ^[ \t]*(?:(?:-keep|-dont|-optimiz|-repackage|-libraryjars|-basedirectory)\b|-include )
        |^[ \t]*(?:-keep|-dont)
      Prolog: ^[ \t]*(?::- |:-)| :- |:-[ \t]*$
      INI: ^[ \t]*\[.*\]$ !! (?i)^[ \t]*pro[ ]
      QMake: ^[ \t]*(?:(?:HEADERS|SOURCES|TEMPLATE|CONFIG|TARGET|SUBDIRS)\b|QT |QT\+|include\()
      IDL: (?i)^[ \t]*(?:(?:compile_opt|end|return)\b|pro |function )
      INI: =
    .ecl (ECL) ECLiPSe: ^[ \t]*:-| :-[ ]
    .g (G-code) G-code: (?i)^[ \t]*[GMN]\d
      GAP: :=|function\(|#
    .gd (GDScript) GAP: ^[ \t]*(?:Declare\b|#############)|^[ \t]*(?:Declare|##)
    .tst (Scilab) GAP: ^[ \t]*gap>
    .j Jasmin: ^[ \t]*(?:\.class|\.super|\.method|\.source)\b
      Objective-J: ^[ \t]*(?:@import|@implementation|@interface|@end)\b
      JASS: ^[ \t]*(?:globals\b|function |library |scope |native |//)
    .q (q) HiveQL: (?i)^[ \t]*(?:(?:create table|set hive|drop table|create external)\b|select |insert |from )
    .p (OpenEdge ABL) Gnuplot: ^[ \t]*(?:(?:set term|set title|set output|set xlabel)\b|plot |splot |set |unset )
    .w (OpenEdge ABL) CWeb: ^[ \t]*(?:(?:@c|\\input)\b|@\*|@<|@ )
    .lp (Answer Set Programming) Linear Programming: (?i)^[ \t]*(?:(?:minimize|maximize|subject to|maximise
        |minimise)\b|max:|min:|max |min )
      Lambdapi: ^[ \t]*(?:(?:require open|constant symbol)\b|symbol |rule |opaque |require )
    .st (StringTemplate) StringTemplate: \$if\(|\$endif\$|<if\(|<endif>|group[ ]
      StringTemplate: ^[ \t]*(?:delimiters\b|group ) !! subclass:
      Smalltalk: ^[ \t]*(?:!|"|Object subclass:)|subclass:|:=|methodsFor:|\^ |ifTrue:
    # `v` and two numbers begin the schematics of gEDA, which have the same extension.
    .sch (Scheme) Eagle: \A\s*(?:(?:<\?xml|<schema)\b|<sch:) && <eagle\b
      XML: \A\s*(?:(?:<\?xml|<schema)\b|<sch:)
      KiCad Schematic: \A\s*(?:EESchema|\(kicad_sch|v 2)\b
    .scm (Scheme) Tree-sitter Query: ^[ \t]*(?:\(#|\[) && \] @|\) @|" @|\(#match\?|\(#eq\?|\(#set!
      Scheme: ^[ \t]*(?:(?:\(define|\(import|\(use-modules|\(load|\(module|\(library|\(let)\b|\(set!|#!)
      Tree-sitter Query: ^[ \t]*(?:\[|\() && \) @|" @|\] @|\(#
    .nb (Text) Wolfram Language: \(\* Content-type: application/|Notebook\[|\(\* CreatedBy='|Cell\[
    .moo (Moocode) Mercury: ^[ \t]*(?::- module|:- interface|:- pred)\b
    .mo (Modelica) Motoko: ^[ \t]*(?:(?:public func|public shared)\b|import |actor |module \{|func ) !! equation\b
        |within |end[ ]
    # Module names begin with a capital in Lean 4 and with a small letter in earlier versions.
    .lean (Lean 4) Lean: \A(?:(?![ \t]*import ).*(?:\r\n?|\n))*+[ \t]*import [a-z]
    .bas (VBA) B4X: ^[ \t]*(?:(?:B4A=true|B4J=true|ModulesStructureVersion)\b|Type=|Group=|Version=)
        && ^[ \t]*@EndOfDesignText@
      VBA: ^[ \t]*Attribute VB_Name\b && (?i)(?:declare ptrsafe|thisworkbook|activesheet|worksheet)\b|application\.
        |range\(
      Visual Basic 6.0: ^[ \t]*Attribute VB_Name\b
      VBA: (?i)^[ \t]*(?:(?:option vba|option explicit)\b|public sub |private sub |public function )
        !! {{freebasic}}
      FreeBASIC: {{freebasic}}
      QuickBASIC: (?i)^[ \t]*(?:(?:declare sub|declare function|'\$include|rem \$include|'\$dynamic|'\$static
        |_title)\b|defint )|(?:_newimage|_limit)\b|\$include:
      BASIC: ^[ \t]*\d
    .bi (QuickBASIC) FreeBASIC: {{freebasic}}
    .frm (INI) Visual Basic 6.0: ^[ \t]*VERSION 5\.00\b && Begin VB\.|Object =[ ]
      VBA: ^[ \t]*VERSION 5\.00\b
    .vba (VBA) Vim script: \A\s*"|^[ \t]*(?:" Vimball|UseVimball|finish)\b
    .cls (TeX) TeX: ^[ \t]*(?:(?:\\NeedsTeXFormat|\\ProvidesClass|\\def|\\newcommand|\\RequirePackage)\b|%)
      Visual Basic 6.0: ^[ \t]*(?:VERSION 1\.0 CLASS|Attribute VB_Name)\b && ^[ \t]*BEGIN\b
        && (?:MultiUse = -1  'True|MTSTransactionMode)\b && ^[ \t]*(?:Persistable|DataBindingBehavior
        |MTSTransactionMode)\b
      VBA: ^[ \t]*(?:VERSION 1\.0 CLASS|Attribute VB_Name)\b
      ObjectScript: (?i)^[ \t]*class .*(?:%persistent\b|extends %|\[) && Property |ClassMethod |Method |%
      OpenEdge ABL: (?i)^[ \t]*(?:(?:routine-level|method public|end method|using progress|&scoped-define
        |block-level|end class)\b|define )
      Apex: (?i)^[ \t]*(?:@istest\b|public |private |global |/\*\*|abstract |virtual )
    .as (ActionScript) ActionScript: ^[ \t]*(?:package\b|import )
      ActionScript: ^[ \t]*(?:(?:package|public class|dynamic class|intrinsic class)\b|import |class |package )
        && (?::void|: void|:String|:Number|import flash|import mx)\b
      AngelScript: ^[ \t]*(?:(?:#include|#pragma|\[Setting)\b|void |int |string |funcdef |shared |enum |namespace )
        |(?:&in|&out)\b|@ |@>
    .asc (AsciiDoc) Public Key: -----BEGIN |---- BEGIN |^[ \t]*ssh-
      AGS Script: ^[ \t]*(?:#define\b|function |struct |import |export |//) !! ^(?:= |== )
    .ash (AGS Script) KoLmafia ASH: ^[ \t]*(?:import |import<|script |notify )|(?:\$item|\$skill|my_|cli_execute)\b
    .asy (Asymptote) LTspice Symbol: \A\s*Version[ ] && ^[ \t]*(?:SymbolType\b|LINE |SYMATTR )
    .pp (Puppet) Pascal: (?i)^[ \t]*(?:(?:interface|implementation|begin)\b|unit |program |uses |end\.|\{\$)
        !! ^[ \t]*class .*(?:\{|\()
    # FLUX nodes list inputs and outputs around an arrow, which HLSL shaders lack.
    .fx (HLSL) FLUX: \) => \(|\)=>\(|^[ \t]*=>|=>[ \t]*$
    .toc (TeX) World of Warcraft Addon Data: ^[ \t]*##[ ]
    .bst (BuildStream) BibTeX Style: ^[ \t]*(?:(?:ENTRY|READ|INTEGERS|STRINGS)\b|FUNCTION |FUNCTION\{)
    .dsp (Faust) Microsoft Developer Studio Project: ^[ \t]*# Microsoft Developer Studio\b
        |Microsoft Developer Studio\b
    .ftl (FreeMarker) FreeMarker: <#|\$\{|\[#|</#
      Fluent: -term\b| = |=\n
    .tpl (Smarty) Go Template: \{\{
    .mc (Monkey C) Win32 Message File: (?i)^[ \t]*(?:(?:messageidtypedef|severitynames|facilitynames
        |languagenames)\b|messageid=)
      M4: ^[ \t]*(?:dnl\b|divert\(|define\(|include\(|OSTYPE\(|DOMAIN\(|FEATURE\(|MAILER\(|VERSIONID\()
    # The macros of Autoconf, and M4's own macros with the prefix `m4_`.
    .m4 (M4) M4Sugar: AC_DEFUN\(|AC_PREREQ\(|AC_INIT\(|AT_SETUP\(|AS_IF\(|^[ \t]*(?:m4_|_m4_)
    .mqh (MQL4) MQL5: (?:#property strict|MqlTick|override)\b|class |input[ ] !! extern |OrderSend\(
    .rno (RUNOFF) Roff: ^(?:(?:\.TH|\.SH|\.PP|\.so|\.de)\b|\.\\")|\\f\b|'\\"
    .rsc (RouterOS Script) Rascal: ^[ \t]*(?:@doc\b|module |import |data |public )
    .properties (Java Properties) INI: ^[ \t]*(?:\[|;)
    .cfg (INI) HAProxy: ^(?:(?:global|defaults)\b|frontend |backend |listen )
    .vhost (ApacheConf) Nginx: ^[ \t]*(?:server \{|server\{|location |listen |upstream )
    .workflow (HCL) XML: \A\s*<\?xml\b
    .cue (CUE) Cue Sheet: ^[ \t]*(?:FILE "|TRACK |PERFORMER |REM |INDEX )
    .odin (Object Data Instance Notation) Odin: ^[ \t]*(?:package |import |//)|:: proc\b
    .ice (Slice) JSON: \A\s*\{
    .tact (Tact) JSON: \A\s*\{ && ":
    .mps (Mathematical Programming System) JetBrains MPS: \A\s*<\?xml\b|<model\b
    .mojo (Mojo) XML: \A\s*<\?xml\b|<mojo\b
    .sw (Sway) XML: \A\s*(?:<\?xml\b|<)
    .typ (Typst) XML: \A\s*(?:<\?xml\b|<)
    .tsp (TypeSpec) TSPLIB data: ^[ \t]*(?:NAME|TYPE|DIMENSION|EDGE_WEIGHT_TYPE)\b
    .mask (Mask) Unity3D Asset: \A\s*%YAML\b
    .pkl (Pkl) Pickle: ^[ \t]*p\d+$ !!  = |\{
    .md (Markdown) GCC Machine Description: ^[ \t]*(?:(?:\(define_insn|\(define_expand|\(define_|\(match_)\b|;;)
        && ^[ \t]*\(define_
    .html (HTML) Ecmarkup: <emu-|</emu-|^[ \t]*<emu-|^[ \t]*<pre class=metadata>
    .json (JSON) OASv3-json: "openapi":|"openapi" :
      OASv2-json: "swagger":|"swagger" :
    .yaml .yml (YAML) OASv3-yaml: ^(?:openapi:|"openapi":)
      OASv2-yaml: ^(?:swagger:|"swagger":)
      MiniYAML: ^[ \t]*\t
    .txt (Text) Adblock Filter List: \A\s*(?:\[Adblock|! Title|\[uBlock)\b
      Vim Help File: (?:\*For Vim version|vim:tw=78|vim:ft=help|ft=help)\b
    .plist (XML Property List) OpenStep Property List: \A\s*(?!<\?xml|<!DOCTYPE plist|<plist)\S
    .vcf (vCard) vCard: \A\s*BEGIN:VCARD\b|^[ \t]*BEGIN:VCARD\b
      TSV: \A\s*##fileformat\b
    # A `<%` begins a Gosu template, not XML.
    .res (ReScript) XML: \A\s*(?:<\?xml|<style|<root)\b
      XML: \A\s*< !! \A\s*<%
    .gst (Gosu) XML: \A\s*(?:<\?xml|<style|<root)\b
      XML: \A\s*< !! \A\s*<%
    .csl (Kusto) XML: \A\s*(?:<\?xml|<style|<root)\b
      XML: \A\s*< !! \A\s*<%
    .gml (Game Maker Language) XML: \A\s*<\?xml\b|^[ \t]*(?:<graphml\b|<gml:)
      Graph Modeling Language: ^[ \t]*(?:graph|Creator)\b && ^[ \t]*(?:(?:node|edge|graph)\b|graph \[) && \[ !! ;
      Gerber Image: ^[ \t]*(?:(?:G04|%FS|%MO)\b|D10\*)|\*%[ \t]*$
    .gts (Glimmer TS) Gerber Image: ^[ \t]*(?:G04|%FS|%MO)\b|\*%[ \t]*$
    .ncl (NCL) XML: \A\s*(?:<\?xml|<ncl)\b
      Gerber Image: ^[ \t]*(?:G04|%FS)\b|\*%[ \t]*$
      Text: \A\s*(?:THE_TITLE|THE TITLE)\b|^[ \t]*THE_TITLE:
      Nickel: ^[ \t]*(?:(?:let|in)\b|\{) !! ^[ \t]*(?:begin\b|load |;)
    .brd (Eagle) KiCad Legacy Layout: \A\s*(?!<\?xml|<!DOCTYPE eagle|<eagle)\S
    .pbt (Protocol Buffer Text Format) PowerBuilder: (?i:^[ \t]*(?:\$pbexportheader|global type|forward)\b)
        |Save Format v3\b
    .pod (Pod) Pod 6: ^[ \t]*=begin pod\b
      Pod 6: ^[ \t]*(?:=begin pod\b|=begin |=for ) !! ^[ \t]*(?:=head1|=pod|=cut)\b
    .srt (SRecode Template) SubRip Text:  -->[ ]
    .svx (mdsvex) Survex data: ^[ \t]*(?:(?:\*begin|\*end|\*include|\*data|\*export)\b|;)
    .yy (Yacc) JSON: \A\s*\{ && ":
    .nl (NL) NewLisp: ^[ \t]*(?:\(define |\(|;)|\A\s*#!
    """#)
}
