// Opening and saving: what is asked, what is written, and what counts as saved after that.
#include "app/window/state/files.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "app/window/effects/files.h"
#include "app/window/effects/gallery_pictures.h"
#include "app/window/panels/close_question.h"
#include "app/window/state/open_and_save.h"
#include "tests/support/state_loop.h"

namespace streamscope::window {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FilesOfWindow : public ::testing::Test {
 protected:
  FilesOfWindow() { loop.up(); }
  // What the command wants written, as if it were.
  SavedText written(const Command& command) {
    const Effects effects = update(loop.state, command);
    if (!effects.save) return {};
    loop.update(command::FileSaved{*effects.save});
    return *effects.save;
  }
  std::uint64_t number() const { return loop.state.files.exported ? loop.state.files.exported->number : 0; }
  testing::StateLoop loop;
};

TEST_F(FilesOfWindow, TypedTextIsSavedAndCountsAsSavedThen) {
  loop.update(command::EditProgram{"# Mine. More.\nstream A\n"});
  EXPECT_TRUE(unsaved(loop.state.editing));
  EXPECT_FALSE(update(loop.state, command::Save{}).save) << "it is in no file: a name is asked for";
  EXPECT_EQ(loop.state.files.asks, FileQuestion::save);
  EXPECT_EQ(loop.state.files.name, "four-streams.streams");
  const SavedText text = written(command::SaveAs{"/there/mine"});
  EXPECT_EQ(text.path, "/there/mine.streams");
  EXPECT_EQ(text.text, "# Mine. More.\nstream A\n");
  EXPECT_FALSE(text.replace) << "what is there is not written over unasked";
  EXPECT_FALSE(unsaved(loop.state.editing));
  EXPECT_TRUE(loop.state.editing.own_program);
  EXPECT_EQ(loop.state.files.asks, FileQuestion::none);
  loop.update(command::Close{});
  EXPECT_TRUE(loop.state.workspace.closing) << "nothing is lost";
}

TEST_F(FilesOfWindow, ANameThatIsTakenWithItsEndingIsAskedAbout) {
  loop.update(command::EditProgram{"stream A\n"});
  loop.update(command::AskFile{FileQuestion::save});
  loop.update(command::FolderListed{
      {.path = "/there", .entries = {{"mine.streams", false}, {"sub.streams", true}}, .why_not = {}}});
  const auto asks = [&](const char* name) {
    loop.update(command::TypeFileName{name});
    return would_replace(loop.state);
  };
  for (const char* name : {"mine", "mine.streams", "/there/mine", "../there/mine"}) EXPECT_TRUE(asks(name)) << name;
  for (const char* name : {"", "min", "sub", "/elsewhere/mine"}) EXPECT_FALSE(asks(name)) << name;
  // What is in another folder is known once it was tried.
  loop.update(command::FileThere{"/elsewhere/mine.streams"});
  EXPECT_TRUE(would_replace(loop.state));
  EXPECT_EQ(loop.state.files.asks, FileQuestion::save) << "the question stands";
  const Effects effects = update(loop.state, command::SaveAs{"/elsewhere/mine", true});
  ASSERT_TRUE(effects.save);
  EXPECT_TRUE(effects.save->replace);
  EXPECT_FALSE(asks("/elsewhere/mine2"));
}

TEST_F(FilesOfWindow, APicturesNameAndFolderAreAskedForAndItsPathIsSaid) {
  loop.checked();
  loop.finish();
  draw::PictureRequest wanted;
  wanted.format = draw::PictureFormat::svg;
  EXPECT_FALSE(update(loop.state, command::Export{wanted}).exported);
  EXPECT_EQ(loop.state.files.asks, FileQuestion::save_export);
  EXPECT_EQ(loop.state.files.name, "four-streams-run-1.svg");
  Effects effects = update(loop.state, command::SaveAs{"/there/mine"});
  ASSERT_TRUE(effects.exported);
  EXPECT_EQ(effects.exported->path, "/there/mine.svg");
  EXPECT_EQ(ending_of(*effects.exported), "svg");
  EXPECT_FALSE(effects.exported->replace);
  loop.update(command::FileThere{"/there/mine.svg", effects.exported});
  effects = update(loop.state, command::SaveAs{"/there/mine.svg", true});
  EXPECT_TRUE(effects.exported && effects.exported->replace);
  loop.update(command::ExportSaved{number(), "/there/mine.svg"});
  EXPECT_EQ(loop.state.files.asks, FileQuestion::none);
  EXPECT_THAT(loop.state.status.text, HasSubstr("/there/mine.svg"));
}

TEST_F(FilesOfWindow, APictureOfAPreviewThatIsGoneIsNotAskedFor) {
  loop.checked();
  loop.update(command::ShowExport{true});
  loop.state.workspace.export_open = true;  // over a preview, whose run has failed since
  ASSERT_FALSE(loop.state.runs.shown);
  const Effects effects = update(loop.state, command::Export{draw::PictureRequest{}});
  EXPECT_FALSE(effects.exported || loop.state.files.exported || loop.state.workspace.export_open);
  EXPECT_EQ(loop.state.files.asks, FileQuestion::none);
  EXPECT_THAT(loop.state.status.text, HasSubstr("no run to export"));
}

TEST_F(FilesOfWindow, GivenUpAPictureGoesBackToItsSettings) {
  loop.checked();
  loop.finish();
  loop.update(command::ShowExport{true});
  loop.update(command::Export{draw::PictureRequest{}});
  ASSERT_FALSE(loop.state.workspace.export_open);
  loop.update(command::AskFile{FileQuestion::none});
  EXPECT_TRUE(loop.state.workspace.export_open);
  // What was asked elsewhere does not.
  loop.update(command::ShowExport{false});
  loop.update(command::AskFile{FileQuestion::save});
  loop.update(command::AskFile{FileQuestion::none});
  EXPECT_FALSE(loop.state.workspace.export_open);
  // Nor does one that was written.
  loop.update(command::Export{draw::PictureRequest{}});
  loop.update(command::ExportSaved{number(), "/there/mine.png"});
  EXPECT_FALSE(loop.state.workspace.export_open);
}

TEST_F(FilesOfWindow, APictureAsItIsSeenIsWrittenAtOnceAndAsksOnlyWhereAFileWouldBeLost) {
  loop.update(command::FileOpened{{.name = "mine", .content = {}, .path = "/there/mine.toml"}});
  loop.checked();
  loop.finish();
  const Effects at_once = update(loop.state, command::ExportPng{});
  ASSERT_TRUE(at_once.exported);
  const std::filesystem::path path = at_once.exported->path;
  EXPECT_EQ(path, "/there/mine-run-1.png") << "as the question would propose it";
  EXPECT_FALSE(at_once.exported->replace);
  EXPECT_EQ(loop.state.files.asks, FileQuestion::none);
  const Effects asked = update(loop.state, command::FileThere{path, at_once.exported});
  EXPECT_EQ(loop.state.files.asks, FileQuestion::save_export);
  EXPECT_EQ(loop.state.files.name, "mine-run-1.png");
  EXPECT_EQ(asked.list, "/there");
  loop.update(command::FolderListed{{.path = "/there", .entries = {{"mine-run-1.png", false}}, .why_not = {}}});
  EXPECT_TRUE(would_replace(loop.state));
  const Effects effects = update(loop.state, command::SaveAs{path, true});
  ASSERT_TRUE(effects.exported);
  EXPECT_TRUE(effects.exported->replace);
  EXPECT_EQ(effects.exported->path, path);
  loop.update(command::AskFile{FileQuestion::none});
  EXPECT_FALSE(loop.state.workspace.export_open) << "there were no questions before it";
  loop.update(command::FileThere{path, at_once.exported});
  EXPECT_EQ(loop.state.files.asks, FileQuestion::none) << "it was given up";
  loop.update(command::ExportPng{});
  loop.update(command::AskFile{FileQuestion::save});
  loop.update(command::FileThere{path, at_once.exported});
  EXPECT_EQ(loop.state.files.asks, FileQuestion::save) << "another question was begun meanwhile";
  EXPECT_NE(loop.state.files.there, path);
  EXPECT_THAT(loop.state.status.text, HasSubstr("stays as it is"));
}

TEST_F(FilesOfWindow, APictureIsOfTheRunItWasAskedForWhateverIsInViewWhenItIsWritten) {
  loop.checked();
  loop.finish();
  const auto first = loop.state.runs.shown;
  const auto of = [](const Effects& effects) { return std::get<PictureOfRun>(effects.exported->what); };
  for (const bool at_once : {true, false}) {
    const auto& all = loop.state.runs.all;
    loop.update(command::ShowRun{static_cast<std::size_t>(std::ranges::find(all, first) - all.begin())});
    ASSERT_EQ(loop.state.runs.shown, first);
    loop.update(command::SetView{timeline::fit(0, 1'000, 100)});
    Effects effects;
    if (at_once) {
      effects = update(loop.state, command::ExportPng{});
      // As the runner gives it back: with what was in sight.
      ExportedFile seen = *effects.exported;
      EXPECT_TRUE(seen.of_view);
      seen.of_view = false;
      std::get<PictureOfRun>(seen.what).request.options.view = loop.state.timeline.view;
      loop.update(command::FileThere{seen.path, seen});
    } else {
      loop.update(command::Export{draw::PictureRequest{}});
    }
    ASSERT_EQ(loop.state.files.asks, FileQuestion::save_export);
    loop.finish();
    loop.update(command::SetView{timeline::fit(0, 9'000, 100)});
    ASSERT_NE(loop.state.runs.shown, first);
    EXPECT_EQ(loop.state.files.name, "four-streams-run-1.png");
    effects = update(loop.state, command::SaveAs{"/there/four-streams-run-1.png", true});
    ASSERT_TRUE(effects.exported);
    EXPECT_EQ(of(effects).run, first);
    EXPECT_FALSE(effects.exported->of_view) << "that would be what is in sight now";
    EXPECT_EQ(of(effects).request.options.view.has_value(), at_once);
    EXPECT_TRUE(!at_once || of(effects).request.options.view == timeline::fit(0, 1'000, 100));
    loop.update(command::ExportSaved{number(), "/there/four-streams-run-1.png"});
    EXPECT_FALSE(loop.state.files.exported) << "it keeps a run in memory";
  }
}

TEST_F(FilesOfWindow, ASweepIsWrittenAtOnceAndAsksOnlyWhereAFileWouldBeLost) {
  loop.update(command::FileOpened{{.name = "mine", .content = {}, .path = "/there/mine.toml"}});
  for (const bool picture : {false, true}) {
    const Effects at_once = update(loop.state, command::WriteSweep{picture});
    ASSERT_TRUE(at_once.exported);
    const std::filesystem::path path = picture ? "/there/mine-sweep.png" : "/there/mine-sweep.csv";
    EXPECT_EQ(at_once.exported->path, path);
    EXPECT_EQ(loop.state.files.asks, FileQuestion::none);
    loop.update(command::FileThere{path, at_once.exported});
    EXPECT_EQ(loop.state.files.asks, FileQuestion::save_export);
    EXPECT_EQ(loop.state.files.name, path.filename());
    const Effects elsewhere = update(loop.state, command::SaveAs{"/there/other"});
    ASSERT_TRUE(elsewhere.exported);
    EXPECT_EQ(elsewhere.exported->path, "/there/other" + path.extension().string());
    loop.update(command::ExportSaved{number(), elsewhere.exported->path});
    EXPECT_EQ(loop.state.files.asks, FileQuestion::none);
    EXPECT_THAT(loop.state.status.text, HasSubstr("/there/other"));
  }
}

TEST_F(FilesOfWindow, WhatBecomesOfAnExportAtOnceConcernsNoOther) {
  loop.checked();
  loop.finish();
  const std::uint64_t first = update(loop.state, command::ExportPng{}).exported->number;
  loop.update(command::Export{draw::PictureRequest{}});
  loop.update(command::ExportSaved{first, "/there/four-streams-run-1.png"});
  EXPECT_EQ(loop.state.files.asks, FileQuestion::save_export) << "that is about another";
  ASSERT_TRUE(loop.state.files.exported);
  loop.update(command::ExportFailed{first, "why"});
  EXPECT_TRUE(loop.state.files.exported);
  loop.update(command::ExportFailed{number(), "it cannot be written there"});
  EXPECT_EQ(loop.state.files.asks, FileQuestion::save_export) << "elsewhere it may be";
  EXPECT_TRUE(loop.state.files.exported && loop.state.status.error);
  loop.update(command::FileSaved{{.path = "/there/mine.toml", .text = {}}});
  EXPECT_EQ(loop.state.files.asks, FileQuestion::save_export);
  loop.update(command::OpenFile{"/there/mine.toml"});
  EXPECT_FALSE(loop.state.files.exported) << "it keeps a run in memory";
}

TEST_F(FilesOfWindow, AnExportAtOnceIsKeptNoLongerThanItIsWritten) {
  const auto begun = [&] { return update(loop.state, command::WriteSweep{}).exported.value(); };
  // Without a folder listed yet its path is relative; what was written has all of it.
  ASSERT_TRUE(begun().path.is_relative());
  loop.update(command::ExportSaved{number(), "/there/four-streams-sweep.csv"});
  EXPECT_FALSE(loop.state.files.exported);
  begun();
  loop.update(command::ExportFailed{number(), "it is a folder that cannot be written in"});
  EXPECT_FALSE(loop.state.files.exported);
  EXPECT_THAT(loop.state.status.text, HasSubstr("cannot be written"));
  const ExportedFile there = begun();
  loop.update(command::AskFile{FileQuestion::save});
  EXPECT_TRUE(loop.state.files.exported) << "it is being written";
  loop.update(command::FileThere{there.path, there});
  EXPECT_FALSE(loop.state.files.exported);
  EXPECT_EQ(loop.state.files.asks, FileQuestion::save);
}

TEST_F(FilesOfWindow, OnlyWhatCanBeOpenedIsOfferedToBeOpened) {
  for (const char* name : {"a.toml", "b.streams", "run.json", "trace.json.gz", "nsys.sqlite", "x.nsys-rep"})
    EXPECT_TRUE(can_be_opened(name)) << name;
  for (const char* name : {"timeline-1.png", "paper.pdf", "mine.cu", "notes"})
    EXPECT_FALSE(can_be_opened(name)) << name;
}

TEST_F(FilesOfWindow, TheGalleryHasAPictureOfEachThatComesWithTheProgram) {
  const std::vector<experiment::Shipped> all = shipped_files();
  ASSERT_FALSE(all.empty());
  loop.update(command::FilesListed{all});
  const Effects opened = update(loop.state, command::ShowGallery{true});
  EXPECT_EQ(opened.gallery_pictures.size(), all.size());
  EXPECT_TRUE(update(loop.state, command::ShowGallery{true}).gallery_pictures.empty()) << "they are made once";
  for (const std::filesystem::path& each : opened.gallery_pictures) {
    const auto made = gallery_picture(each);
    ASSERT_TRUE(made) << each;
    loop.update(*made);
    EXPECT_FALSE(loop.state.workspace.gallery_pictures[each].bars.empty()) << each;
  }
  EXPECT_FALSE(gallery_picture("/nowhere.streams"));
}

TEST_F(FilesOfWindow, WhatIsTypedWhileItIsWrittenStaysUnsaved) {
  loop.update(command::EditProgram{"stream A\n"});
  const Effects effects = update(loop.state, command::SaveAs{"/there/mine.streams"});
  loop.update(command::EditProgram{"stream AB\n"});
  loop.update(command::FileSaved{*effects.save});
  EXPECT_TRUE(unsaved(loop.state.editing));
  EXPECT_EQ(loop.state.editing.program, "stream AB\n");
  loop.update(command::ResetProgram{});
  EXPECT_EQ(loop.state.editing.program, "stream A\n") << "back to what the file has";
}

TEST_F(FilesOfWindow, TypedTextThatWasPutAsideIsAskedAboutToo) {
  loop.update(command::EditProgram{"stream A\n"});
  loop.update(command::ResetProgram{});
  loop.update(command::Close{});
  EXPECT_TRUE(loop.state.workspace.asks_close) << "it could be brought back";
  EXPECT_FALSE(loop.state.workspace.closing);
}

TEST_F(FilesOfWindow, SavedBeforeClosingIsWhatWasTypedAndNotWhatTookItsPlace) {
  loop.update(command::EditProgram{"stream A\n"});
  OpenedFile other{.name = "other", .content = {}, .path = "/there/other.streams"};
  other.content.program = "stream B\n";
  loop.update(command::FileOpened{other});
  loop.update(command::Close{});
  ASSERT_TRUE(loop.state.workspace.asks_close);
  Effects effects;
  for (const Command& each : save_before_close(loop.state.editing)) effects += update(loop.state, each);
  EXPECT_FALSE(loop.state.workspace.asks_close);
  EXPECT_EQ(loop.state.editing.program, "stream A\n");
  EXPECT_FALSE(effects.save) << "other.streams is not written over";
  ASSERT_EQ(loop.state.files.asks, FileQuestion::save);
  effects = update(loop.state, command::SaveAs{"/there/mine.streams"});
  ASSERT_TRUE(effects.save);
  EXPECT_EQ(effects.save->text, "stream A\n");
  loop.update(command::FileSaved{*effects.save});
  loop.update(command::Close{});
  EXPECT_TRUE(loop.state.workspace.closing);
}

TEST_F(FilesOfWindow, SavedBeforeClosingTheEditorComesBeforeWhatWasPutAside) {
  loop.update(command::EditProgram{"stream A\n"});
  loop.update(command::ResetProgram{});
  loop.update(command::EditProgram{"stream B\n"});
  for (const Command& each : save_before_close(loop.state.editing)) loop.update(each);
  EXPECT_EQ(loop.state.editing.program, "stream B\n");
  const Effects effects = update(loop.state, command::SaveAs{"/there/b.streams"});
  ASSERT_TRUE(effects.save);
  loop.update(command::FileSaved{*effects.save});
  loop.update(command::Close{});
  ASSERT_TRUE(loop.state.workspace.asks_close) << "the other is still in no file";
  for (const Command& each : save_before_close(loop.state.editing)) loop.update(each);
  EXPECT_EQ(loop.state.editing.program, "stream A\n");
}

// The text is still that of the settings before: it must not run under their name.
TEST_F(FilesOfWindow, UndoneBackToSettingsThatBuildNothingTheyStillDoNotRun) {
  experiment::Experiment set = loop.state.editing.experiment;
  set.chunk = 0;
  loop.update(command::SetExperiment{set});
  const std::string why = why_not_run(loop.state.editing);
  ASSERT_THAT(why, HasSubstr("chunk"));
  EXPECT_EQ(loop.state.status.text, why);
  loop.update(command::EndChange{});
  set.streams = 7;
  loop.update(command::SetExperiment{set});
  const Effects undone = update(loop.state, command::UndoChange{});
  ASSERT_EQ(loop.state.editing.experiment.streams, 4u);
  EXPECT_EQ(why_not_run(loop.state.editing), why);
  EXPECT_FALSE(undone.run);
}

TEST_F(FilesOfWindow, AnExperimentGoesBackIntoItsOwnFile) {
  loop.update(command::FileOpened{{.name = "mine", .content = {}, .path = "/there/mine.toml"}});
  experiment::Experiment set = loop.state.editing.experiment;
  set.streams = 11;
  loop.update(command::SetExperiment{set});
  const SavedText text = written(command::Save{});
  EXPECT_EQ(text.path, "/there/mine.toml");
  EXPECT_THAT(text.text, HasSubstr("streams = 11"));
  EXPECT_TRUE(text.replace);
}

TEST_F(FilesOfWindow, ShippedFilesAreNotWrittenOver) {
  loop.update(command::FilesListed{{{.path = "/shipped/four.toml", .name = "four", .title = "Four"}}});
  loop.update(command::FileOpened{{.name = "four", .content = {}, .path = "/shipped/four.toml"}});
  EXPECT_FALSE(update(loop.state, command::Save{}).save);
  EXPECT_EQ(loop.state.files.asks, FileQuestion::save);
}

TEST_F(FilesOfWindow, TheNewestFilesAreRememberedOnce) {
  for (int i = 0; i < 20; ++i)
    loop.update(command::FileOpened{{.name = "a", .content = {}, .path = "/a" + std::to_string(i)}});
  loop.update(command::FileOpened{{.name = "a", .content = {}, .path = "/a15"}});
  ASSERT_EQ(loop.state.files.recent.size(), kMostRecent);
  EXPECT_EQ(loop.state.files.recent[0], "/a15");
  EXPECT_EQ(loop.state.files.recent[1], "/a19");
  EXPECT_EQ(std::count(loop.state.files.recent.begin(), loop.state.files.recent.end(), "/a15"), 1);
  loop.update(command::OpenFile{"/anywhere"});
  EXPECT_EQ(loop.state.files.recent[0], "/a15") << "it may not be there";
}

TEST_F(FilesOfWindow, UndoGoesBackToTheFileBefore) {
  loop.update(command::FileOpened{{.name = "a", .content = {}, .path = "/a.toml"}});
  experiment::Experiment other;
  other.streams = 2;
  loop.update(command::EndChange{});
  loop.update(command::FileOpened{{.name = "b", .content = other, .path = "/b.toml"}});
  loop.update(command::UndoChange{});
  EXPECT_EQ(loop.state.editing.path, "/a.toml");
}

TEST_F(FilesOfWindow, NamesAreOfTheFolderThatIsListed) {
  Files files;
  files.folder.path = "/there";
  EXPECT_EQ(typed_path(files, "mine.toml"), "/there/mine.toml");
  EXPECT_EQ(typed_path(files, "../mine.toml"), "/mine.toml");
  EXPECT_EQ(typed_path(files, "/else/where"), "/else/where");
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(typed_path(files, "~/mine.toml"), "/home/me/mine.toml");
}

TEST_F(FilesOfWindow, AFolderIsListedFoldersFirst) {
  std::string name = ::testing::TempDir() + "folder-XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  const std::filesystem::path folder = name;
  std::filesystem::create_directories(folder / "z");
  for (const char* each : {"b.toml", "a.streams", ".hidden"}) std::ofstream(folder / each) << "x";
  const Folder listed = list_folder(folder / "");
  EXPECT_EQ(listed.path, folder);
  EXPECT_THAT(listed.entries,
              ElementsAre(FolderEntry{"z", true}, FolderEntry{"a.streams", false}, FolderEntry{"b.toml", false}));
  EXPECT_FALSE(list_folder(folder / "not there").why_not.empty());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace streamscope::window
